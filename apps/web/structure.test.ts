import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, 'src')
const sources = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }))

/** Files that match the pattern, except the allowed ones. */
const filesWith = (pattern: RegExp, allowed: readonly string[]) =>
  sources.flatMap(({ path, text }) => (pattern.test(text) && !allowed.includes(path) ? [path] : []))

/** Also requires a match in every allowed file, so that an outdated pattern cannot pass silently. */
function expectOnlyIn(pattern: RegExp, allowed: readonly string[]): void {
  expect(filesWith(pattern, allowed)).toEqual([])
  for (const path of allowed) expect(sources.find((one) => one.path === path)?.text, path).toMatch(pattern)
}

test('a form element is that of SaveForm, a confirmation or a search', () => {
  expectOnlyIn(/<form\b/, ['ui/forms/save-form.tsx', 'ui/dialogs/confirm-dialog.tsx', 'ui/forms/search-form.tsx'])
})

test('only overlays that interrupt the page are mounted already open: dialogs open in a DialogSlot', () => {
  expectOnlyIn(/<(Modal|Drawer)(\.Root)?\s[^>]*\bopened(=\{true\})?[\s/>]/, [
    'ui/layout/page-overlay.tsx',
    'rooms/identity/step-up.tsx',
  ])
  expectOnlyIn(/<Modal\.Root\b/, ['ui/dialogs/dialog-slot.tsx'])
})

test('a screen opens its dialogs with useDialog', () => {
  expectOnlyIn(/<DialogSlot\b/, [
    'app/record/record-view.tsx',
    // Steps that follow each other in one dialog.
    'rooms/identity/security/second-step-section.tsx',
    'ui/dialogs/lazy-dialog-slot.tsx',
    'ui/dialogs/use-dialog.tsx',
  ])
})

test('names and values of a record are Facts', () => {
  expectOnlyIn(/<dl\b/, [
    'app/keys/shortcut-list.tsx',
    // Fields that can be edited where they stand.
    'rooms/prospects/record/overview.tsx',
    // Counts of a file, cells of a row with their problems, and changed values of an event.
    'rooms/audit/differences.tsx',
    'rooms/csv-preview/row-panel.tsx',
    'rooms/csv-preview/summary.tsx',
    'ui/layout/facts.tsx',
  ])
})

test('a screen names its permission, and a room its tabs, where the routes are declared', () => {
  expectOnlyIn(/<NoPermission isPage/, [
    'ui/rooms/screen.tsx',
    'app/prospects/prospects-desk.tsx',
    'rooms/dashboard/dashboard-screen.tsx',
    'rooms/prospects/record/new-prospect-screen.tsx',
  ])
  expectOnlyIn(/<SubNav\b/, [
    'app/settings/profile-frame.tsx',
    'app/settings/settings-frame.tsx',
    'app/shell/tabbed-page.tsx',
  ])
})

test('an address without children is a page', () => {
  expectOnlyIn(/\bcreateRoute\(/, [
    'app/routes.tsx',
    'ui/rooms/page.ts',
    // Addresses with a record beside the list, or with a screen that joins rooms.
    'rooms/audit/room.ts',
    'rooms/csv-preview/room.ts',
    'rooms/exports/room.ts',
    'rooms/prospects/room.ts',
    'rooms/reports/room.ts',
    'rooms/requests/room.ts',
    'rooms/review/room.ts',
  ])
})

test('the filters of a list in its address are useListSearch', () => {
  expectOnlyIn(/\bisFiltered\b.*Object\.keys\(/, ['ui/lists/use-list-search.ts'])
  expectOnlyIn(/\bnavigate\(\{[^}]*\bsearch: \{\}/, ['ui/lists/use-list-search.ts'])
})

test('a status is a StatusMark', () => {
  expectOnlyIn(/className=\{classes\.status\} data-/, ['ui/text/status-mark.tsx'])
  const sheets = globSync('**/*.module.css', { cwd: root }).filter((path) =>
    /\.status\[|composes: status\b/.test(readFileSync(join(root, path), 'utf8')),
  )
  expect(sheets).toEqual(['ui/text/status.module.css'])
})

test('a decision with a reason is a DecisionDialog', () => {
  expectOnlyIn(/<ReasonField\b/, [
    'ui/dialogs/decision-dialog.tsx',
    'ui/dialogs/erasure-dialog.tsx',
    // Forms with fields of their own, of which the reason is one.
    'rooms/contacts/enablement-dialogs.tsx',
    'rooms/domains/propose-domain-dialog.tsx',
    'rooms/matching/merge-form.tsx',
    'rooms/people/block-person-dialog.tsx',
    'rooms/pipeline/move-reason-form.tsx',
    'rooms/requests/extend-dialog.tsx',
    'rooms/review/bulk/bulk-dialog.tsx',
    'rooms/review/bulk/preview-screen.tsx',
    'rooms/review/decisions/defer-dialog.tsx',
    'rooms/review/decisions/reject-dialog.tsx',
    'rooms/review/decisions/verify-dialog.tsx',
    'rooms/scoring/runs/start-run-dialog.tsx',
    'rooms/suppression/block-dialog.tsx',
  ])
})

test('a page has one primary button', () => {
  const filled = /<ActionButton(?![^>]*\bvariant=)[^>]*\/>/g
  const heads = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bactions=\{\s*<>([\s\S]*?)<\/>\s*\}/g)].map(([, buttons = '']) => ({ path, buttons })),
  )
  expect(heads.length).toBeGreaterThan(3)
  expect(heads.flatMap(({ path, buttons }) => ([...buttons.matchAll(filled)].length > 1 ? [path] : []))).toEqual([])
  // Buttons of a list of actions are of one look, so that look is not that of a primary button.
  expect(filesWith(/actions=\{\w+\.map\(\(action\) => \(?\s*<ActionButton(?![^>]*\bvariant=)/, [])).toEqual([])
  // A button in an empty list repeats that of the page.
  expect(filesWith(/<Empty [^>]*action=\{<ActionButton(?![^>]*\bvariant=)/, [])).toEqual([])
})

test('no response of the API has an asserted type', () => {
  expectOnlyIn(/\bas DataOf\b/, ['ui/api/data-of.ts'])
  expect(filesWith(/\bdataOf</, ['ui/api/data-of.ts'])).toEqual([])
  expect(filesWith(/\bas (unknown as )?\w+(Response|Responses|Data)\b/, [])).toEqual([])
  expect(filesWith(/\b(useQuery|useInfiniteQuery|useSuspenseQuery|fetchQuery|queryOptions)</, [])).toEqual([])
  // With keys of the generated client the cache infers the type. These files use keys of their own.
  expectOnlyIn(/\b(get|set)(Query|Queries)Data</, ['ui/lists/visible-pages.ts', 'rooms/pipeline/moved-lists.ts'])
})

test('only ui/text formats dates and numbers, so that all follow the locale of the workspace', () => {
  expectOnlyIn(/\bIntl\.\w*Format\b/, ['ui/text/date-format.ts', 'ui/text/format.ts'])
  expect(filesWith(/\.toLocale(Date|Time)?String\(/, [])).toEqual([])
})

test('no text of the app has a date in the form of the API', () => {
  const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '')
  const writesDate = /\byyyy-mm\b|['"`>][^'"`\n]*\b20\d\d-\d\d-\d\d\b/
  const found = sources.flatMap(({ path, text }) => (writesDate.test(withoutComments(text)) ? [path] : []))
  expect(found).toEqual([])
  expect(["'such as 2026-11-21'", '>until 2026-11-21<', "'yyyy-mm-dd'"].every((text) => writesDate.test(text))).toBe(
    true,
  )
})

test('a recipient is shown by phoneText', () => {
  expect(filesWith(/<Name of=\{[\w.]*\brecipient\.value\}/, [])).toEqual([])
})

test('only ui/text chooses between singular and plural', () => {
  expectOnlyIn(/=== 1\s+\? (one : many|['"`])/, ['ui/text/count-words.ts'])
  // A noun after a formatted number, or after a variable whose name is that of a number.
  expect(
    filesWith(/formatNumber\((?:[^()]|\([^()]*\))*\)\}(?:\{' '\})?\s+(?:[a-z]+ )?[a-z]{2,}[a-rt-z]s\b/, []),
  ).toEqual([])
  expect(
    filesWith(/\$?\{[\w.]*(?:[cC]ount|[lL]ength|[sS]ize|[dD]ays|[hH]ours|[mM]inutes)\} [a-z]{3,}s\b(?!=)/, []),
  ).toEqual([])
})

test('numbers are typed in ui/fields, so that all are read in the locale of the workspace', () => {
  expect(filesWith(/\bNumberInput\b/, [])).toEqual([])
  expect(filesWith(/\btype="number"/, [])).toEqual([])
  // Codes of a second factor and dates are not numbers.
  expectOnlyIn(/\binputMode=["{]\W*(numeric|decimal)/, [
    'rooms/identity/steps/proof-form.tsx',
    'rooms/identity/steps/totp-enrolment.tsx',
    'rooms/reports/new-report-screen.tsx',
  ])
})

test('a day becomes an instant only in ui/text, in the time zone of the workspace', () => {
  expectOnlyIn(/\}T\d\d:\d\d/, [
    'ui/text/day.ts',
    'ui/text/format.ts',
    'ui/text/typed-day.ts',
    'ui/text/zone-time.ts',
    // Calendar arithmetic, whose result is a day.
    'rooms/reports/report-question.ts',
  ])
  expectOnlyIn(/\.slice\(0, 10\)/, [
    'ui/text/zone-time.ts',
    'rooms/reports/report-question.ts',
    // Intervals of the API begin at midnight in UTC.
    'rooms/sources/health-part.tsx',
  ])
})

test('a form with a draft is cancelled with CancelButton, which deletes the draft', () => {
  const forms = sources.filter(({ text }) => /\buseSaveForm[<(]/.test(text) && /\bdraft[:=]/.test(text))
  expect(forms.length).toBeGreaterThan(5)
  expect(forms.flatMap(({ path, text }) => (/>\s*(Cancel|Discard)\s*<\/Button>/.test(text) ? [path] : []))).toEqual([])
  // Without a draft, and the record form, whose draft holds the version from which the edit began.
  expectOnlyIn(/>\s*(Cancel|Discard)\s*<\/Button>/, [
    'rooms/exports/export-dialog.tsx',
    'rooms/identity/security/password-section.tsx',
    'rooms/identity/steps/add-passkey.tsx',
    'rooms/identity/steps/totp-enrolment.tsx',
    'rooms/prospects/record/save-bar.tsx',
    'rooms/reports/report-progress.tsx',
    'rooms/scoring/previews/job-progress.tsx',
    'ui/dialogs/confirm-dialog.tsx',
  ])
})

test('a form that changes a version of a record declares it with `edits`, so that it overwrites no change of others', () => {
  const forms = sources.filter(({ text }) => /\bifMatch\(/.test(text) && /\buseSaveForm[<(]|<FormDialog\b/.test(text))
  expect(forms.length).toBeGreaterThan(5)
  expect(forms.flatMap(({ path, text }) => (/\bedits[=:]/.test(text) ? [] : [path]))).toEqual([
    // Compares all fields of a prospect, with its identifiers and tags, in a screen of its own.
    'rooms/prospects/record/edit-record.tsx',
    // Compares two people as they were opened. If either was changed since, the server refuses the join.
    'rooms/people/join-dialog.tsx',
  ])
})

/** What a quick key does, and where it is declared. A further meaning needs another key. */
const quickKeyPlaces: Record<string, readonly string[]> = {
  // assign
  a: ['app/review/review-desk.tsx', 'rooms/review/review.record.ts', 'ui/prospects/quick-keys.ts'],
  // new prospect
  c: ['rooms/prospects/new-prospect.ts'],
  // edit
  e: [
    'rooms/drafts/draft-screen.tsx',
    'rooms/pipeline/board/board.tsx',
    'rooms/prospects/list/prospect-table.tsx',
    'rooms/prospects/prospects.record.ts',
    'rooms/requests/request-screen.tsx',
    'rooms/scoring/rule-sets/rule-set-screen.tsx',
    'rooms/scoring/rule-sets/version-screen.tsx',
  ],
  // move in the pipeline
  m: ['rooms/pipeline/board/board.tsx', 'rooms/pipeline/pipeline.record.ts', 'ui/prospects/quick-keys.ts'],
  // note
  n: ['rooms/notes/notes.record.ts', 'ui/prospects/quick-keys.ts'],
  // tags
  t: ['rooms/prospects/prospects.record.ts', 'ui/prospects/quick-keys.ts'],
}

test('a quick key has one meaning everywhere', () => {
  for (const [key, places] of Object.entries(quickKeyPlaces)) expectOnlyIn(new RegExp(`keys: '${key}'`), places)
})
