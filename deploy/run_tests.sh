#!/usr/bin/env bash
# run_tests.sh BUILD_DIR [ctest argument...]: runs the tests and ends with the line `N passed, N failed, N skipped`.
# Counted from ctest's own result file: its summary on the terminal calls skipped tests passed.
set -uo pipefail
build=$1
shift
results=$PWD/$build/test-results.xml

# Found afresh each time: a new golden case is a new test of an old binary.
find "$build/tests" -maxdepth 1 -name '*_tests.cmake' -delete
rm -f "$results"
# A failing test gets one more chance, since some start real processes on a machine that may be busy; ctest shows both
# runs, so that what needed the second is seen.
ctest --test-dir "$build" --repeat until-pass:2 --output-on-failure --output-junit "$results" "$@"
status=$?
[ -s "$results" ] || { echo "run_tests: ctest wrote no results" >&2; exit 1; }

# The attributes of <testsuite> come first in the file, each on a line of its own.
count() { grep -o -m 1 "\b$1=\"[0-9]*\"" "$results" | tr -dc 0-9; }
tests=$(count tests) failed=$(count failures) skipped=$(($(count skipped) + $(count disabled)))
if [ "$tests" = 0 ]; then
  echo "run_tests: no test matches" >&2
  status=1
fi
echo "$((tests - failed - skipped)) passed, $failed failed, $skipped skipped"
exit $status
