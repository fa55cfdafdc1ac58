import type { Business, BusinessEdit } from '@prospect/api-client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { businessOf } from '../../../../test/business.ts'
import { ApiProblem } from '../../../ui/api/api-problem.ts'
import {
  emptyRow,
  type IdentifierRow,
  identifierLists,
  isUnchanged,
  type ProspectFormValues,
  patchBody,
  valuesFrom,
} from '../record/prospect-form.ts'
import { type Choice, compareVersions, conflictsOf, mergeVersions, type StaleField } from '../record/stale-edit.ts'
import { type ContactFieldName, contactField, type TextFieldName, textField } from './edited-fields.ts'
import { saveValues, undoOf, type ValuesEdit } from './save-values.ts'

/** The API of one record: a version for each change, and a refusal of older ones. */
function recordApi(between: () => Partial<BusinessEdit>[] = () => []) {
  let business = businessOf()
  const rows = (list: BusinessEdit['phones'], now: Business['phones']): Business['phones'] =>
    list?.map(({ value, label = null, region = null }) => ({
      ...{ value, label, region },
      ...{ normalized: null, uncertainty: null },
    })) ?? now
  const apply = ({ emails, phones, domains, address, assigneeId, name, ...plain }: Partial<BusinessEdit>): Business => {
    const isNameKnown = name === undefined ? business.isNameKnown : name !== null
    const next = { ...business, ...plain }
    business = {
      ...next,
      version: business.version + 1,
      isNameKnown,
      name: isNameKnown ? (name ?? business.name) : (next.tradingName ?? business.name),
      emails: rows(emails, business.emails),
      phones: rows(phones, business.phones),
      domains: rows(domains, business.domains),
      address: { ...business.address, ...address },
      assignee:
        assigneeId === undefined
          ? business.assignee
          : assigneeId === null
            ? null
            : { id: assigneeId, name: assigneeId },
    } as Business
    return business
  }
  return {
    now: () => business,
    apply,
    read: async () => business,
    patch: async (body: BusinessEdit, version: number) => {
      for (const other of between()) apply(other)
      if (version !== business.version) throw new ApiProblem({ status: 412, code: 'version_conflict' })
      return apply(body)
    },
  }
}
type Api = ReturnType<typeof recordApi>
type Choices = Partial<Record<StaleField, Choice>>

const conflictsBetween = ({ base, mine }: ValuesEdit, stored: Business) =>
  conflictsOf(compareVersions(base, valuesFrom(stored), mine))

const choicesOf = (edit: ValuesEdit, stored: Business, choice: Choice): Choices =>
  Object.fromEntries(
    conflictsBetween(edit, stored).map(({ field, canKeepBoth }) => [
      field,
      choice === 'both' && !canKeepBoth ? 'mine' : choice,
    ]),
  )

/** The form: sends what differs from its start; refused, shows both versions and sends what the person chooses on top of the stored one. */
async function saveByForm(api: Api, edit: ValuesEdit, choice: Choice): Promise<void> {
  const { base, version, mine } = edit
  if (isUnchanged(base, mine)) return
  try {
    await api.patch(patchBody(base, mine), version)
  } catch {
    const stored = await api.read()
    const theirs = valuesFrom(stored)
    const merged = mergeVersions(base, theirs, mine, choicesOf(edit, stored, choice))
    await saveByForm(api, { base: theirs, version: stored.version, mine: merged }, choice)
  }
}

async function saveInPlace(api: Api, edit: ValuesEdit, choice: Choice) {
  const outcome = await saveValues(api, edit)
  if (outcome.kind !== 'conflict') return outcome
  const { stored } = outcome
  const theirs = valuesFrom(stored)
  const mine = mergeVersions(outcome.edit.base, theirs, outcome.edit.mine, choicesOf(outcome.edit, stored, choice))
  return saveValues(api, { base: theirs, version: stored.version, mine })
}

/** A change of the values, as the editor in place makes it and as the form makes it. */
type Change = Record<'inPlace' | 'byForm', (values: ProspectFormValues) => ProspectFormValues>
const alike = (change: Change['inPlace']): Change => ({ inPlace: change, byForm: change })

const fields: readonly TextFieldName[] = [
  'name',
  'tradingName',
  'industry',
  'registrationNumber',
  'address.city',
  'address.province',
  // As a cell of a list edits it, without its label.
  'emails.0',
]
const texts = fc.constantFrom('', 'A', 'B', 'C d')

/** Editing one row: a new value with its label, or another value, label or country of a stored one; null removes the row. */
const rowEdit = fc.oneof(
  fc.record({ value: texts, label: fc.constantFrom('', 'owner'), region: fc.constantFrom('', 'ZA') }),
  fc.record({ value: texts }),
  fc.record({ label: fc.constantFrom('', 'owner', 'accounts') }),
  fc.constant(null),
)
const rowChange = fc
  .tuple(fc.constantFrom(...identifierLists), fc.nat(2), rowEdit)
  .map(([list, place, edit]): Change => {
    const name: ContactFieldName = `${list}.${place}`
    const { read, write } = contactField(name)
    const edited = (row: IdentifierRow) => (edit === null ? emptyRow() : { ...row, ...edit })
    return {
      inPlace: (values) => write(values, edited(read(values))),
      // The form edits the row with this key, or a new blank row at the end.
      byForm: (values) => {
        const rows = values[list]
        if (edit === null) return { ...values, [list]: rows.filter((_, at) => at !== place) }
        if (place >= rows.length) return { ...values, [list]: [...rows, edited(emptyRow())] }
        return { ...values, [list]: rows.map((row, at) => (at === place ? edited(row) : row)) }
      },
    }
  })
const change = fc.oneof(
  fc
    .tuple(fc.constantFrom(...fields), texts)
    .filter(([field, text]) => field !== 'name' || text !== '')
    .map(([field, text]) => alike((values) => textField(field).write(values, text))),
  { weight: 2, arbitrary: rowChange },
  fc.subarray(['solar', 'farm', 'new']).map((tags) => alike((values) => ({ ...values, tags }))),
  fc.constantFrom(null, 'u1', 'u2').map((assigneeId) => alike((values) => ({ ...values, assigneeId }))),
)
/** `since`: so many versions ago the person began. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('edit' as const),
    change,
    since: fc.nat(2),
    choice: fc.constantFrom<Choice>('mine', 'theirs', 'both'),
  }),
  fc.record({ kind: fc.constant('colleague' as const), change }),
  fc.record({ kind: fc.constant('undo' as const), choice: fc.constantFrom<Choice>('mine', 'theirs') }),
)

test('any sequence of edits in place, undos and conflicts equals the same edits by form', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const [inPlace, byForm] = [recordApi(), recordApi()]
      const seen = { inPlace: [inPlace.now()], byForm: [byForm.now()] }
      const undos: { inPlace: ValuesEdit; byForm: ValuesEdit }[] = []
      for (const one of steps) {
        if (one.kind === 'colleague') {
          for (const api of [inPlace, byForm]) {
            const base = valuesFrom(api.now())
            const body = patchBody(base, one.change.byForm(base))
            if (Object.keys(body).length > 0) await api.patch(body, api.now().version)
          }
        } else if (one.kind === 'edit') {
          const editFrom = (start: Business, way: keyof Change): ValuesEdit => {
            const base = valuesFrom(start)
            return { base, version: start.version, mine: one.change[way](base) }
          }
          const startOf = (list: Business[]) => list.at(-1 - one.since) ?? list[0]
          const [from, formFrom] = [startOf(seen.inPlace), startOf(seen.byForm)]
          if (from === undefined || formFrom === undefined) continue
          const before = valuesFrom(byForm.now())
          const version = byForm.now().version
          const outcome = await saveInPlace(inPlace, editFrom(from, 'inPlace'), one.choice)
          await saveByForm(byForm, editFrom(formFrom, 'byForm'), one.choice)
          if (outcome.kind === 'saved' && byForm.now().version > version)
            undos.push({ inPlace: undoOf(outcome.business, outcome.before), byForm: undoOf(byForm.now(), before) })
        } else {
          const undo = undos.pop()
          if (undo === undefined) continue
          await saveInPlace(inPlace, undo.inPlace, one.choice)
          await saveByForm(byForm, undo.byForm, one.choice)
        }
        expect(patchBody(valuesFrom(inPlace.now()), valuesFrom(byForm.now()))).toEqual({})
        seen.inPlace.push(inPlace.now())
        seen.byForm.push(byForm.now())
      }
    }),
    { numRuns: 300 },
  )
})

const industry = (api: Api, text: string): ValuesEdit => {
  const base = valuesFrom(api.now())
  return { base, version: api.now().version, mine: textField('industry').write(base, text) }
}

test('an edit keeps what a colleague changed elsewhere, and returns a conflict where both changed one field', async () => {
  const api = recordApi()
  const edit = industry(api, 'Solar')
  api.apply({ registrationNumber: '2015/1' })
  expect(await saveValues(api, edit)).toMatchObject({ kind: 'saved' })
  expect(api.now()).toMatchObject({ industry: 'Solar', registrationNumber: '2015/1' })
  const late = industry(api, 'Wind')
  api.apply({ industry: 'Water' })
  expect(await saveValues(api, late)).toMatchObject({ kind: 'conflict', stored: { industry: 'Water' } })
  expect(api.now().industry).toBe('Water')
})

test('an edit that changes nothing sends nothing, and one that meets a new version each time is refused in the end', async () => {
  let count = 0
  const api = recordApi(() => {
    count += 1
    return [{ registrationNumber: `2015/${count}` }]
  })
  expect(await saveValues(api, industry(api, ''))).toEqual({ kind: 'unchanged' })
  expect(count).toBe(0)
  await expect(saveValues(api, industry(api, 'Solar'))).rejects.toMatchObject({ code: 'version_conflict' })
})

test('an undo takes back its own edit and leaves the later edit of another field', async () => {
  const api = recordApi()
  const outcome = await saveValues(api, industry(api, 'Solar'))
  api.apply({ registrationNumber: '2015/1' })
  if (outcome.kind !== 'saved') throw new Error('The edit was not saved.')
  await saveValues(api, undoOf(outcome.business, outcome.before))
  expect(api.now()).toMatchObject({ industry: null, registrationNumber: '2015/1' })
})

test('an undo of a field that someone else changed since is a conflict, and writes nothing until a person chooses', async () => {
  const api = recordApi()
  const outcome = await saveValues(api, industry(api, 'Solar'))
  if (outcome.kind !== 'saved') throw new Error('The edit was not saved.')
  api.apply({ industry: 'Water' })
  const undo = undoOf(outcome.business, outcome.before)
  expect(await saveValues(api, undo)).toMatchObject({ kind: 'conflict', stored: { industry: 'Water' } })
  expect(api.now().industry).toBe('Water')
  await saveInPlace(api, undo, 'mine')
  expect(api.now().industry).toBeNull()
})

test('a value of a list is added, relabelled and removed at its place; both additions to one list can be kept', async () => {
  const api = recordApi()
  const email = (place: number, row: Partial<IdentifierRow>): ValuesEdit => {
    const base = valuesFrom(api.now())
    const { read, write } = contactField(`emails.${place}`)
    return { base, version: api.now().version, mine: write(base, { ...read(base), ...row }) }
  }
  const emails = () => api.now().emails.map(({ value, label }) => [value, label])
  await saveValues(api, email(0, { value: 'a@example.com' }))
  await saveValues(api, email(1, { value: 'b@example.com', label: 'owner' }))
  await saveValues(api, email(0, { label: 'accounts' }))
  expect(emails()).toEqual([
    ['a@example.com', 'accounts'],
    ['b@example.com', 'owner'],
  ])
  const late = email(2, { value: 'mine@example.com' })
  await saveValues(api, email(2, { value: 'theirs@example.com' }))
  await saveInPlace(api, late, 'both')
  await saveValues(api, email(0, emptyRow()))
  expect(emails()).toEqual([
    ['b@example.com', 'owner'],
    ['theirs@example.com', null],
    ['mine@example.com', null],
  ])
})
