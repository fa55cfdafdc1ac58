/** Words of the product that other products use differently, with their meaning. */
export const terms = [
  {
    title: 'Evidence',
    text: [
      'A dated statement about a prospect, with its source, such as a call, a register or a web page. Evidence shows what somebody saw. It does not prove that the statement is true.',
      'Several statements can support or contradict a value. Nobody edits evidence. A person adds a newer statement instead.',
    ],
  },
  {
    title: 'Score',
    text: [
      'Points from 0 to 100, by the rules of your workspace. While evidence is missing or old, the score is a range, such as 45 to 80. Then 45 points are certain, and open checks could add 35 points.',
      'The tab Score of a prospect lists each rule with its points.',
    ],
  },
  {
    title: 'Priority',
    text: [
      'The band of a score, such as A, B or C, by the rules of your workspace. While a score is a range, the lowest band counts. Possible priority shows the highest band.',
      'A priority helps you to decide which prospects to work on first. A priority never permits contact: a do-not-contact mark always takes precedence.',
    ],
  },
  {
    title: 'Review',
    text: [
      'A person checks the record of a prospect and verifies, rejects or defers it. The review queue shows the prospects that are due for review, best score first.',
      'A review confirms that the record is correct. It does not approve a draft or a website.',
    ],
  },
] as const
