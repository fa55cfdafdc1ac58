import { describe, expect, test } from 'vitest'
import { isTypedAs, nameText, piecesOf } from './name-text.ts'

describe('a name', () => {
  test.each(['Karoo Solar (Pty) Ltd', 'Nomvula Dlamini-Ö’Brien', '株式会社', 'Zoë 👩‍🔧'])(
    'without hidden characters is shown unchanged: %s',
    (name) => expect(nameText(name)).toBe(name),
  )

  test('cannot reverse the text after it, and shows the attempt', () => {
    expect(nameText('Anna\u202Eexe.tnemyap')).toBe('Anna[U+202E]exe.tnemyap')
    expect(nameText('A\u2067b\u2069\u200Bc')).toBe('A[U+2067]b[U+2069][U+200B]c')
  })

  test('in a right-to-left script is isolated', () => {
    expect(nameText('דנה')).toBe('\u2068דנה\u2069')
  })

  test.each(['Karoo Solar', 'דנה (Pty) Ltd', 'Anna\u202Eexe.tnemyap', 'A\u200Bb'])(
    'can be confirmed as stored or as shown, and in no other form: %j',
    (name) => {
      expect([isTypedAs(` ${name} `, name), isTypedAs(nameText(name), name)]).toEqual([true, true])
      expect([isTypedAs(name.slice(1), name), isTypedAs('', name)]).toEqual([false, false])
    },
  )

  test('keeps the joiners that scripts and emoji need', () => {
    const joined = 'می\u200cخواهم'
    expect(piecesOf(joined)).toEqual([{ text: joined, isHidden: false }])
  })

  test('is split into its pieces in order, and an empty one into none', () => {
    expect(piecesOf('\u202Ea\u202C')).toEqual([
      { text: 'U+202E', isHidden: true },
      { text: 'a', isHidden: false },
      { text: 'U+202C', isHidden: true },
    ])
    expect(piecesOf('')).toEqual([])
  })
})
