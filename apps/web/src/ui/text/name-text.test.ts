import { describe, expect, test } from 'vitest'
import { isTypedAs, nameText, piecesOf } from './name-text.ts'

describe('a name', () => {
  test.each(['Karoo Solar (Pty) Ltd', 'Nomvula Dlamini-Ö’Brien', '株式会社', 'Zoë 👩‍🔧'])(
    'without hidden characters is shown as it is: %s',
    (name) => expect(nameText(name)).toBe(name),
  )

  test('cannot turn the text after it around, and shows that it tried', () => {
    expect(nameText('Anna\u202Eexe.tnemyap')).toBe('Anna[U+202E]exe.tnemyap')
    expect(nameText('A\u2067b\u2069\u200Bc')).toBe('A[U+2067]b[U+2069][U+200B]c')
  })

  test('that runs from right to left keeps that to itself', () => {
    expect(nameText('דנה')).toBe('\u2068דנה\u2069')
  })

  test.each(['Karoo Solar', 'דנה (Pty) Ltd', 'Anna\u202Eexe.tnemyap', 'A\u200Bb'])(
    'is repeated as it is stored or as it was shown, and by nothing else: %j',
    (name) => {
      expect([isTypedAs(` ${name} `, name), isTypedAs(nameText(name), name)]).toEqual([true, true])
      expect([isTypedAs(name.slice(1), name), isTypedAs('', name)]).toEqual([false, false])
    },
  )

  test('keeps the joiners that scripts and emoji are written with', () => {
    const joined = 'می\u200cخواهم'
    expect(piecesOf(joined)).toEqual([{ text: joined, isHidden: false }])
  })

  test('falls into its pieces in order, and an empty one into none', () => {
    expect(piecesOf('\u202Ea\u202C')).toEqual([
      { text: 'U+202E', isHidden: true },
      { text: 'a', isHidden: false },
      { text: 'U+202C', isHidden: true },
    ])
    expect(piecesOf('')).toEqual([])
  })
})
