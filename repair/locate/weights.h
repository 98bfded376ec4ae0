#pragma once

namespace suture {

/// How much each clue counts. A suspiciousness is the best single clue, lifted a little by the
/// others (see Suspects). All values were set by hand and then adjusted on historical bugs; none
/// depends on a project, and small changes of any of them move few ranks.
struct Weights {
  // Frames of the failure.
  double failing_line = 1.0;  ///< the innermost frame of the tree
  double caller_decay = 0.7;  ///< each frame outwards
  double cause_decay = 0.8;   ///< frames of an exception that an earlier one of the chain caused
  double failing_function = 0.55;  ///< a statement beside the failing line, before distance counts
  double distance_halving = 12;    ///< lines between a statement and the failing line that halve it
  double failing_function_floor = 0.12;  ///< the farthest statement of the failing function
  double not_reached = 0.35;       ///< factor: a statement of the failing function that did not run
  double guard_of_failing = 0.85;  ///< the condition right around the failing line
  double guard_of_raise = 0.97;    ///< the same when the failing line is a `raise`
  double guard_decay = 0.75;       ///< each enclosing condition outwards
  double failing_header = 0.45;    ///< the `def` line of the failing function
  double caller_function = 0.3;    ///< statements around a caller's line, times its frame's weight

  // Both ends of a failing call.
  double callee_header = 0.95;  ///< the `def` whose parameters the failing call did not fit
  double callee_of_line = 0.4;  ///< the `def` of any other function called on the failing line
  double callee_sibling = 0.5;  ///< other definitions of that name (overrides, bases)
  double rebinding = 0.6;       ///< `object.f = ...` of a callable f that was called wrongly

  double returned_wrongly = 0.95;  ///< a return that ran in a method whose value has a wrong type

  // Where a value was made.
  double origin = 0.85;        ///< the last assignment of an offending value
  double origin_plain = 0.55;  ///< ... of another name on the failing line
  double origin_step =
      0.75;  ///< factor for each step further back (older assignment, callee, caller)
  double origin_not_run = 0.3;  ///< factor for an assignment that did not run

  double compared_return = 0.6;  ///< a return of a function called for what the check compares

  // Definitions named by the message.
  double missing_attribute_class = 0.6;   ///< the class without the attribute
  double missing_attribute_setter = 0.5;  ///< places that set it, in the class or elsewhere
  double similar_member = 0.45;           ///< a member that is spelled almost alike
  double failing_import = 0.9;            ///< import statements that name what was not found
  double exporting_module = 0.75;   ///< statements at module level of the module that lacks a name
  double import_block = 0.7;        ///< imports of a file with an unknown name
  double init_of_class = 0.3;       ///< statements that set other attributes of the class
  double binding_of_name = 0.7;     ///< assignments of an unbound local, imports of an unknown name
  double defined_elsewhere = 0.35;  ///< where the wanted name is defined

  // What the check executed.
  double executed = 0.9;               ///< the best statement of the best function, without a frame
  double executed_beside_frame = 0.4;  ///< the same when the failure has a frame of the tree
  double call_decay = 0.8;             ///< each call between the check and the function
  double unknown_caller = 0.75;        ///< called from code that was not traced (a library, a mock)
  double import_time = 0.25;           ///< functions that ran only while modules were imported
  double called_by_slice = 1.3;        ///< called from the lines that make the compared values
  double slice_decay = 0.93;           ///< each line of those that lies before the last one
  double protocol = 0.5;               ///< methods such as __getattr__ that only pass on
  double returns_compared = 1.3;       ///< its value is the one compared
  double named_by_check = 1.3;         ///< its name stands in the check
  double size_power = 0.25;            ///< a function of n executed lines counts n^-p
  double recency = 0.15;               ///< added for the function called last, none for the first
  double not_executed = 0.12;    ///< factor: a statement that did not run in a function that did
  double skipped_branch = 0.35;  ///< the same right below a condition that did run
  double word_lift = 1.6;        ///< added, at most, for sharing the check's words
  double set_word_lift = 0.8;    ///< added when it sets what the check compares
  double word_half = 0.6;        ///< amount of shared words that gives half of the lift

  // Kinds of statements, factors.
  double kind_condition = 1.0, kind_return = 0.95, kind_assignment = 0.85, kind_call = 0.75,
         kind_raise = 0.6, kind_loop = 0.7, kind_with = 0.45, kind_def = 0.45, kind_class = 0.4,
         kind_import = 0.35, kind_handler = 0.5, kind_log = 0.15, kind_else = 0.25,
         kind_other = 0.3, kind_docstring = 0.02;

  // Module level.
  double module_level = 0.8;          ///< when nothing was called after import
  double module_level_beside = 0.25;  ///< when functions were called
  double module_import = 0.4;         ///< factor for imports there
  double module_definition = 0.5;     ///< factor for `def` and `class` lines there
  double module_constant = 1.0;       ///< factor for assignments there
  double module_named = 0.5;          ///< what a file counts that the check does not import itself

  // The rest.
  double named_definition = 0.3;  ///< a function that the check imports
  double named_class = 0.2;       ///< a class that the check imports
  double swallowed = 0.5;         ///< raised and caught inside the tree, the newest
  double swallowed_usual = 0.15;  ///< factor for what programs catch as a matter of course
  double swallowed_decay = 0.85;  ///< each older one
  double mentioned = 0.4;         ///< only named in the report's text
  double several_clues = 0.25;    ///< how far a further clue closes the gap to 1
};

inline constexpr Weights kWeights{};

}  // namespace suture
