import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/*
 * Words that no text of the interface uses, with the word that it uses. `docs/glossary.md` is the vocabulary. A text is JSX text, or a string literal that
 * reads like one: it begins with a capital letter, or contains a space.
 */

const root = join(import.meta.dirname, 'src')
const sources = globSync('**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.test\.tsx?$/.test(path))

type Text = { place: string; text: string }

const texts = sources.flatMap(textsOf)

test('no text of the interface uses an internal or ambiguous word', () => {
  const forbidden: [RegExp, string][] = [
    [/\bsuppress/i, 'add to the do-not-contact list, or block'],
    [/\bjurisdiction/i, 'country whose law applies'],
    [/\badapters?\b|ADAPTERS_FILE/i, 'connector'],
    [/\bcircuits?\b/i, 'automatic stop'],
    [/\bpredicate/i, 'filter'],
    [/\bdigests?\b/i, 'fingerprint, under Details'],
    [/\bhash(es|ed)?\b/i, 'fingerprint, or a form that nobody can read'],
    [/\bundecided\b/i, 'open, or cannot tell yet'],
    [/\bfrozen\b/i, 'cannot be edited'],
    [/\bgates?\b/i, 'requirement'],
    [/\btenants?\b/i, 'workspace'],
    [/\bnormali[sz]ed\b/i, 'stored as, or compared as'],
    [/\bschema version\b/i, 'nothing, or Details'],
    [/\bidempoten/i, 'nothing'],
    [/\bcould reach\b/i, 'possible priority'],
    [/\b(is|are|was|becomes?|stays?|marked as) do not contact\b/i, 'is marked do not contact'],
    [/ [a-z]+\.[a-z]+[A-Z]\w*| [A-Z][a-z]+[A-Z][a-z]+\b/, 'words instead of a name in code'],
    [/\bWrite (a|the) reason/, 'Enter a reason.'],
    [/ — /, 'a shorter sentence, or –'],
  ]
  const found = texts.flatMap(({ place, text }) =>
    forbidden.flatMap(([word, better]) =>
      word.test(text) && !isAllowed(text) ? [`${place}: "${text}" → ${better}`] : [],
    ),
  )
  expect(found).toEqual([])
})

test('the texts are found', () => {
  expect(texts.length).toBeGreaterThan(3_000)
  expect(texts.some(({ text }) => text === 'Do-not-contact list')).toBe(true)
})

/** Keywords of the command palette, names of products and formats, and internal names that no person sees. */
function isAllowed(text: string): boolean {
  return allowed.some((one) => text.includes(one))
}

const allowed = [
  // Keywords of commands: people type these words.
  'tenant workspace organisation',
  'legal jurisdiction consent caps',
  'report gates checks blockers',
  'suppress block opt out',
  'paste list suppress',
]

function textsOf(path: string): Text[] {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Text[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)?.replace(/\s+/g, ' ').trim()
    if (text !== undefined && (ts.isJsxText(node) ? /[a-z]/ : /^[A-Z].*[a-z]|[a-z] [a-z]/).test(text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      found.push({ place: `${path}:${line + 1}`, text })
    }
    if (!ts.isImportDeclaration(node) && !isForDevelopers(node)) ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Messages of errors that only a defect throws, names of components and classes, and types. */
function isForDevelopers(node: ts.Node): boolean {
  if (ts.isTypeNode(node)) return true
  if (ts.isJsxAttribute(node)) return ['className', 'id', 'to', 'from', 'key', 'name'].includes(node.name.getText())
  if (ts.isCallExpression(node) && ['screen', 'page'].includes(node.expression.getText())) return true
  return ts.isNewExpression(node) && node.expression.getText() === 'Error'
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node) || ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => `…${literal.text}`)].join('')
  return undefined
}
