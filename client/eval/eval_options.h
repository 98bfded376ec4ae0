#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "client/eval/sample.h"
#include "client/eval/task.h"

namespace suture {

/// The command line of `suture eval` as typed.
struct EvalArguments {
  std::string dataset;
  std::string trees;
  std::string checks;
  std::string python = "python3";
  std::string out;
  std::string details;
  std::vector<std::string> ids;
  std::size_t sample = 0;  ///< 0: all
  std::uint64_t seed = 1;
  int jobs = 2;
  std::string budget = "60s";
  std::string timeout;
  std::vector<std::string> pattern_folders, only, exclude;
  double confidence = RepairRequest{}.confidence_threshold;
  bool resume = false;
  bool retry_infra = false;
  bool only_silencing = false;
  bool fresh_only = false;
  bool no_sandbox = false;
  bool json = false;
};

/// What the arguments mean, all paths absolute. Errors: kUsage, kNotFound with the option's name.
Result<EvalSetup> setup_of(const EvalArguments& arguments);
Selection selection_of(const EvalArguments& arguments);

/// Adds the options that say which bugs and where their trees, checks and interpreter are.
void add_input_options(CLI::App& command, EvalArguments& arguments);

/// Errors: kUsage when a check uses {checks} and nobody said where they are.
Status checks_are_given(const std::vector<Instance>& instances, const EvalSetup& setup);

/// The exit code of a command of this folder that ends with an error.
int exit_code_of(ErrorKind kind);

}  // namespace suture
