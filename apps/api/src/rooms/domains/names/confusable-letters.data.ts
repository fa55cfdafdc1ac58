/** Letters that look like a Latin letter: letters of other scripts, and Latin letters with a stroke. Lower case only, as in domains. */
export const confusableLetters: Readonly<Record<string, string>> = {
  ...pairs('a', 'аαɑ'),
  ...pairs('b', 'ьвβ'),
  ...pairs('c', 'сϲ'),
  ...pairs('d', 'ԁđ'),
  ...pairs('e', 'еєεə'),
  ...pairs('g', 'ɡց'),
  ...pairs('h', 'һнհħ'),
  ...pairs('i', 'іıι'),
  ...pairs('j', 'ј'),
  ...pairs('k', 'кκ'),
  ...pairs('l', 'ӏł'),
  ...pairs('m', 'м'),
  ...pairs('n', 'пηոռ'),
  ...pairs('o', 'оοօøσ'),
  ...pairs('p', 'рρ'),
  ...pairs('q', 'ԛ'),
  ...pairs('r', 'г'),
  ...pairs('s', 'ѕ'),
  ...pairs('t', 'тτ'),
  ...pairs('u', 'սυц'),
  ...pairs('v', 'ѵν'),
  ...pairs('w', 'ԝωшѡ'),
  ...pairs('x', 'хχ'),
  ...pairs('y', 'уүγ'),
}

function pairs(latin: string, others: string): Record<string, string> {
  return Object.fromEntries([...others].map((letter) => [letter, latin]))
}
