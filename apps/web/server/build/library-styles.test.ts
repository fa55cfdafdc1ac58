import { expect, test } from 'vitest'
import { checkLibraryStyles } from './library-styles.ts'

const sheets = new Map([
  ['Button', '.m_77c9d27d { color: red } .m_77c9d27d:where([data-block]) { width: 100% }'],
  ['Badge', '.m_347db0ec { color: red }'],
  ['Timeline', '.m_43657ece { color: red }'],
  ['global', '.mantine-active:active { transform: none }'],
])
const script = 'const a = { root: "m_77c9d27d" }, b = { root: "m_347db0ec" }'

test('reports a component without its style sheet, and a style sheet without its component', () => {
  const styles = '.m_77c9d27d{color:red}.m_43657ece{color:red}'
  expect(checkLibraryStyles({ script, styles, sheets })).toEqual({ missing: ['Badge'], unused: ['Timeline'] })
})

test('passes if the style sheets match the components in the build', () => {
  const styles = '.m_77c9d27d{color:red}.m_347db0ec{color:red}'
  expect(checkLibraryStyles({ script, styles, sheets })).toEqual({ missing: [], unused: [] })
})
