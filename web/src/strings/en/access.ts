// Words of the page: the secret of the lab.
export const access = {
  "access.title": "The secret of this lab",
  "access.stranger": "This lab is only for those who know its secret. The terminal in which it was started names the file that holds it: paste its text here.",
  "access.guest": "You may read and run everything. To save into the folder of this lab, enter its secret; whoever started it has it.",
  "access.secret": "Secret",
  "access.enter": "Enter",
  "access.needed": "This lab asks for its secret.",
  "access.show": "Enter the secret",
  "access.entered": "You may save now.",
  "access.unreachable": "The lab does not answer. Does it still run?",
} as const;
