#!/usr/bin/env python3
"""Checks that includes follow the link lines: check_layers.py SOURCE_DIR LAYERS_FILE

LAYERS_FILE is written by suture_layer() in cmake/layers.cmake: one `folder name dependency...` a line.
Static libraries that end in one binary would link whatever they include, so the linker alone does not see it.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"((?:repair|client|server|bot|proto)/[^"]+)"')


def main(source_dir, layers_file):
    root = pathlib.Path(source_dir)
    folder_of, layer_in, allowed = {}, {}, {}
    for line in pathlib.Path(layers_file).read_text().splitlines():
        folder, name, *deps = line.split()
        folder_of[name] = folder
        layer_in[folder] = name
        # Defined in link order, so the sets of the dependencies are complete.
        allowed[name] = {name}.union(*(allowed[d] for d in deps))

    problems = []
    for name, folder in folder_of.items():
        for path in sorted((root / folder).glob("*")):
            if path.suffix not in (".h", ".cc"):
                continue
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                target = layer_in.get(str(pathlib.PurePosixPath(match[1]).parent))
                if target not in allowed[name]:
                    problems.append(
                        f"{path.relative_to(root)}:{number}: layer {name} may not include {match[1]}"
                        f" (it sees: {' '.join(sorted(allowed[name]))})")
    print("\n".join(problems) or f"{len(folder_of)} layers: every include follows a link line")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
