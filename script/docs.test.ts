import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { roomCapabilities } from '../apps/api/src/rooms/facts.ts'

/* Checks that the files, headings, decisions and tests that the documentation names exist. */

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')
const pages = files.filter((file) => file.endsWith('.md')).map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const tests = files
  .filter((file) => /\.(?:test|spec|stack)\.tsx?$|-guarantees\.ts$/.test(file))
  .map((file) => ({ file, text: plainQuotes(readFileSync(file, 'utf8')) }))

test('every link leads to a file, and to a heading of it', () => {
  const links = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, path = '', heading]) => {
      const target = path === '' ? file : join(dirname(file), path)
      return { file, target, heading }
    }),
  )
  expect(links.length).toBeGreaterThan(50)
  const leadsSomewhere = ({ target, heading }: (typeof links)[number]) =>
    existsSync(target) && (heading === undefined || headingsOf(target).includes(heading))
  expect(links.filter((link) => !leadsSomewhere(link))).toEqual([])
})

test('every source file that a page names exists', () => {
  const isExample = (name: string) => name.startsWith('rooms/tags/') // the room that apps/web/README.md adds
  const named = pages
    .filter(({ file }) => file !== 'CHANGELOG.md')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/`(?:\.\/)?([\w./-]+\.tsx?)`/g)].map(([, name = '']) => ({ file, name })),
    )
  expect(named.length).toBeGreaterThan(200)
  const exists = (name: string) => files.some((file) => `/${file}`.endsWith(`/${name}`))
  expect(named.filter(({ name }) => !isExample(name) && !exists(name))).toEqual([])
})

test('every test that a page names exists', () => {
  const named = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/`([\w./-]+\.(?:test|spec|stack)\.tsx?)`/g)].map(([, name = '']) => ({ file, name })),
  )
  expect(named.length).toBeGreaterThan(80)
  expect(named.filter(({ name }) => !tests.some(({ file }) => `/${file}`.endsWith(`/${name}`)))).toEqual([])
})

test('every test title that the security page quotes exists', () => {
  const security = readFileSync('docs/security.md', 'utf8')
  const rows = security.split('\n').filter((line) => line.startsWith('|'))
  const quoted = rows.flatMap((row) => {
    let witness = ''
    return [...plainQuotes(row).matchAll(/`([^`]+)`|"([^"]+)"/g)].flatMap(([, code, quote]) => {
      if (quote !== undefined) return [{ witness, quote }]
      if (code !== undefined) witness = code
      return []
    })
  })
  expect(quoted.length).toBeGreaterThan(60)
  const stands = ({ witness, quote }: (typeof quoted)[number]) =>
    tests.some(({ file, text }) => basename(file).startsWith(witness) && text.includes(quote))
  expect(quoted.filter((one) => !stands(one))).toEqual([])
})

test('every decision is listed by its title, and each decision or measurement that is named exists', () => {
  const decisions = pages.filter(({ file }) => dirname(file) === 'docs/decisions' && basename(file) !== 'README.md')
  expect(decisions.filter(({ text }) => !/^Status: /m.test(text)).map(({ file }) => file)).toEqual([])
  expect(decisions.filter(({ file }) => /^\d/.test(basename(file)))).toEqual([]) // names, not numbers
  const index = readFileSync('docs/decisions/README.md', 'utf8')
  const entry = ({ file, text }: (typeof decisions)[number]) =>
    `- [${/^# (.+)$/m.exec(text)?.[1]}](${basename(file)})\n`
  expect(decisions.map(entry).filter((line) => !index.includes(line))).toEqual([])
  const named = [...pages, ...sources()].flatMap(({ file, text }) =>
    [...text.matchAll(/\bdocs\/(?:decisions|performance)\/[\w-]+\.md/g)].map(([path]) => ({ file, path })),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ path }) => !files.includes(path))).toEqual([])
})

test('README and the comparison state the capabilities that the rooms declare', () => {
  const byPhase = roomCapabilities.toSorted((one, other) => one.phase - other.phase)
  const declared = byPhase.map(({ area, status }) => `${status}: ${area}`)
  const readme = readFileSync('README.md', 'utf8')
  const listed = [...readme.matchAll(/^- `(\w+)`[^:\n]*: (.+)\.$/gm)].flatMap(([, status, areas = '']) =>
    areas.split(', ').map((area) => `${status}: ${area}`),
  )
  expect(listed.toSorted()).toEqual(declared.toSorted())
  const comparison = readFileSync('docs/comparison.md', 'utf8')
  const rows = [...comparison.matchAll(/^\| (\d+) \| (.+) \| `(\w+)` \|$/gm)]
  expect(rows.map(([, phase, area, status]) => ({ phase: Number(phase), area, status }))).toEqual(
    byPhase.map(({ phase, area, status }) => ({ phase, area, status })),
  )
  const isAllBuilt = byPhase.every(({ status }) => status !== 'not_built' && status !== 'partial')
  for (const text of [readme, comparison]) {
    expect(/not built/i.test(text)).toBe(!isAllBuilt)
    // Neither page lists a capability twice, in a sentence that nothing compares.
    for (const { area } of byPhase.filter((one) => one.area.includes(' '))) expect(text.split(area)).toHaveLength(2)
  }
  expect(/Every area is built\./.test(comparison)).toBe(isAllBuilt)
})

function sources() {
  return files
    .filter((file) => /^apps\/.*\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
}

function headingsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

function plainQuotes(text: string): string {
  return text.replaceAll('’', "'").replaceAll("\\'", "'")
}
