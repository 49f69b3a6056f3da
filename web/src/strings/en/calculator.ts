// Words of the page: the session of the language.
export const calculator = {
  "calculator.hint": "Try the language: norm([3, 4]), f(x) = x^2, f(3), help norm. Objects of the run have their values of the moment: norm(ball.v). Arrow up brings back what you typed.",
  "calculator.at": "{value} at t = {time} s",
  "calculator.input": "Input {number}",
  "calculator.said": "What was typed, and the answers",
} as const;
