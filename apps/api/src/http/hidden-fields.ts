import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { UserActor } from '../lib/actor.ts'

/*
 * Fields of responses that some readers may not see (Global rule 5, Phase 12 §5). A response schema marks them with the builders below, and one hook
 * hides them before serialization, so no route calls the gate for what it answers. Other readers cost one look-up of their permission.
 */

export type ContactKind = 'email' | 'phone' | 'domain'

/**
 * Mark of a field. `kind`: how the gate reads its texts; null for a field that is hidden with its object only. `ofRecords`: also hidden while a
 * do-not-contact record has the domain that it names. `isHash`: hidden from every reader from whom values can be hidden. `instead`: replaces the
 * field; an empty list only while its object is hidden. Without it, texts are replaced by the mask.
 */
type FieldMark = { kind: ContactKind | null; ofRecords: boolean; isHash: boolean; instead?: null | readonly [] }
type FieldOptions = Partial<Omit<FieldMark, 'kind' | 'isHash'>>

const fieldMarks = z.registry<FieldMark>()
const subjectMarks = z.registry<{ path: readonly string[] }>()
const governingMarks = z.registry<{ isGoverning: true }>()
const flagMarks = z.registry<{ isFlag: true }>()

/**
 * Marks a field whose text is one contact value: an email address, a phone number, a host or a URL; `domain` for a value of any kind. It is hidden
 * while an entry matches it, and while its object is hidden, because the record that the object is about (`aboutBusiness`) is do not contact. Texts
 * in lists and objects below the schema are read one by one.
 */
export function contactValue<S extends z.ZodType = z.ZodString>(
  kind: ContactKind,
  schema: S = z.string() as z.ZodType as S,
  options: FieldOptions = {},
): S {
  return marked(schema, { kind, ...options })
}

/**
 * Marks a field with text that somebody wrote or that was read from a page. It can contain contact values in any spelling. It is hidden as a whole
 * while an entry matches one of them, and always while its object is hidden (docs/decisions/free-text-is-withheld-whole.md).
 */
export function freeText<S extends z.ZodType = z.ZodString>(
  schema: S = z.string() as z.ZodType as S,
  options: FieldOptions = {},
): S {
  return marked(schema, { kind: 'domain', ...options })
}

/** Marks a field that the gate cannot read and that is hidden with its object, such as a label that is computed from a hidden domain. */
export function hiddenWithObject<S extends z.ZodType>(schema: S, options: Pick<FieldOptions, 'instead'> = {}): S {
  return marked(schema, { kind: null, ...options })
}

/**
 * Marks a hash that is computed from values which can be hidden, such as the fingerprint of a record. A reader could test guesses of a value with the
 * hash, now or after the value was suppressed. So it is always hidden from readers from whom values can be hidden; they decide nothing that needs it.
 */
export function hashOfValues<S extends z.ZodType = z.ZodString>(
  schema: S = z.string() as z.ZodType as S,
  options: Pick<FieldOptions, 'instead'> = {},
): S {
  return marked(schema, { kind: null, isHash: true, ...options })
}

/**
 * Marks the field with the id of the business that its object is about. While that business or a record that it was merged into is do not contact, all
 * marked fields of the object are hidden, also those of objects inside it, except of objects that are about a business themselves. `path`: where the
 * id is in the field, such as `id`. An object can have several such fields; one blocked record hides its fields.
 */
export function aboutBusiness<S extends z.ZodType = z.ZodString>(
  schema: S = z.string() as z.ZodType as S,
  ...path: string[]
): S {
  const copy = z.core.clone(schema)
  subjectMarks.add(copy, { path })
  return copy
}

/** Marks a field that hides all marked fields of its object while a text inside it is hidden: the domain that everything else in the object describes. */
export function hidesItsObject<S extends z.ZodType>(schema: S): S {
  const copy = z.core.clone(schema)
  governingMarks.add(copy, { isGoverning: true })
  return copy
}

/** Returns the schema of a flag that is true if a field of its object, other than a hash, is hidden from the reader. */
export function isHiddenFlag(): z.ZodBoolean {
  const schema = z.boolean()
  flagMarks.add(schema, { isFlag: true })
  return schema
}

/** A copy is marked, because other fields can use the same schema. Further modifiers, such as `describe`, keep the mark. */
function marked<S extends z.ZodType>(schema: S, mark: Pick<FieldMark, 'kind'> & Partial<FieldMark>): S {
  const copy = z.core.clone(schema)
  fieldMarks.add(copy, { ofRecords: false, isHash: false, ...mark })
  return copy
}

/** True for the schema of a marked field. */
export function isMarkedField(schema: z.core.$ZodType): boolean {
  return fieldMarks.get(schema) !== undefined
}

/** A part of a response schema that contains marked fields. */
type Plan =
  | FieldPlan
  | { is: 'list'; item: Plan }
  | TuplePlan
  | { is: 'record'; value: Plan }
  | { is: 'choice'; options: Option[] }
  | ObjectPlan
/** `inner`: marked fields inside a field that is hidden with its object. */
type FieldPlan = { is: 'field'; mark: FieldMark; inner: Plan | undefined }
type TuplePlan = { is: 'tuple'; items: (Plan | undefined)[]; rest: Plan | undefined }
type ObjectPlan = {
  is: 'object'
  fields: [name: string, plan: Plan][]
  /** fields that hide the others while they are hidden */
  governing: [name: string, plan: Plan][]
  /** paths to the ids of businesses that the object is about */
  subjects: (readonly string[])[]
  flags: string[]
}
/** An option of a union, also without marked fields. `constants`: values of its literal fields, which exclude most values without parsing them. */
type Option = {
  schema: z.core.$ZodType
  constants: [name: string, values: ReadonlySet<unknown>][]
  plan: Plan | undefined
}

/** Returns the marked fields of a response schema; undefined if it has none. */
export function compileHiddenFields(schema: z.ZodType): Plan | undefined {
  return compile(schema, new Map())
}

function compile(schema: z.core.$ZodType, known: Map<z.core.$ZodType, Plan | undefined>): Plan | undefined {
  const mark = fieldMarks.get(schema)
  if (mark !== undefined)
    return { is: 'field', mark, inner: mark.kind === null ? compileInner(schema, known) : undefined }
  if (!known.has(schema)) known.set(schema, compileInner(schema, known))
  return known.get(schema)
}

function compileInner(schema: z.core.$ZodType, known: Map<z.core.$ZodType, Plan | undefined>): Plan | undefined {
  const inner = (part: z.core.$ZodType) => compile(part, known)
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return compileObject(def.shape, inner)
    case 'array': {
      const item = inner(def.element)
      return item && { is: 'list', item }
    }
    case 'record': {
      const value = inner(def.valueType)
      return value && { is: 'record', value }
    }
    case 'union': {
      const options = def.options.map((schema) => ({ schema, constants: constantsOf(schema), plan: inner(schema) }))
      return options.some(({ plan }) => plan !== undefined) ? { is: 'choice', options } : undefined
    }
    case 'tuple': {
      const items = def.items.map(inner)
      const rest = def.rest === null ? undefined : inner(def.rest)
      return [...items, rest].some((item) => item !== undefined) ? { is: 'tuple', items, rest } : undefined
    }
    case 'intersection':
      throw new Error('The schema of a response cannot be an intersection. Extend an object instead.')
    case 'lazy':
      throw new Error('The schema of a response cannot be recursive.')
    default: {
      const wrapped = wrappedBy(schema)
      return wrapped && inner(wrapped)
    }
  }
}

/**
 * Returns the schema inside a modifier, such as `nullable`; undefined for other schemas. Of a pipe it is the side that is serialized: the output, or
 * the input if a function without a schema computes the output.
 */
export function wrappedBy(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'nullable':
    case 'optional':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return def.innerType
    case 'pipe':
      return def.out._zod.def.type === 'transform' ? def.in : def.out
    default:
      return undefined
  }
}

function compileObject(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  inner: (part: z.core.$ZodType) => Plan | undefined,
): Plan | undefined {
  const plan: ObjectPlan = { is: 'object', fields: [], governing: [], subjects: [], flags: [] }
  for (const [name, part] of Object.entries(shape)) {
    const subject = metaOf(subjectMarks, part)
    if (subject !== undefined) plan.subjects.push([name, ...subject.path])
    if (metaOf(flagMarks, part) !== undefined) plan.flags.push(name)
    const field = inner(part)
    if (field !== undefined) plan.fields.push([name, field])
    if (field !== undefined && metaOf(governingMarks, part) !== undefined) plan.governing.push([name, field])
  }
  return plan.fields.length === 0 ? undefined : plan
}

/** Returns the mark of a schema, also if it is inside `nullable` or another modifier. */
function metaOf<Meta extends object>(
  marks: { get(schema: z.core.$ZodType): Meta | undefined },
  schema: z.core.$ZodType,
): Meta | undefined {
  const wrapped = wrappedBy(schema)
  return marks.get(schema) ?? (wrapped && metaOf(marks, wrapped))
}

/** Returns the values of the literal fields of an object. */
function constantsOf(schema: z.core.$ZodType): Option['constants'] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type !== 'object') return []
  return Object.entries(def.shape).flatMap(([name, part]): Option['constants'] => {
    const { def: field } = (part as z.core.$ZodTypes)._zod
    return field.type === 'literal' ? [[name, new Set<unknown>(field.values)]] : []
  })
}

/** A text at a marked field, as it is asked about. */
export type AskedText = { kind: ContactKind; text: string; ofRecords: boolean }

/** What the rooms know of values and records. Every function throws if it cannot answer, and the request then fails. */
export type HiddenFieldsGate = {
  /** text that replaces a hidden one */
  mask: string
  /** true for readers from whom values can be hidden */
  hidesFrom(reader: UserActor): boolean
  /** returns the positions of the texts that this reader may not see */
  findHidden(reader: UserActor, texts: readonly AskedText[]): Promise<ReadonlySet<number>>
  /** returns which of these businesses are do not contact, themselves or by a record that they were merged into */
  findBlocked(reader: UserActor, businessIds: readonly string[]): Promise<ReadonlySet<string>>
}

/**
 * Registers the hook that hides marked fields of all responses. Call it before the routes. It fails closed: if the gate cannot answer, the request
 * fails.
 */
export function registerHiddenFields(app: FastifyInstance, gate: HiddenFieldsGate): void {
  const plans = new Map<z.ZodType, Plan | undefined>()
  const planOf = (schema: z.ZodType) => {
    if (!plans.has(schema)) plans.set(schema, compileHiddenFields(schema))
    return plans.get(schema)
  }
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { actor } = request
    if (actor === null || !gate.hidesFrom(actor)) return payload
    const schema = responseSchema(request, reply.statusCode)
    const plan = schema && planOf(schema)
    return plan === undefined ? payload : hideFields(gate, actor, plan, payload)
  })
}

function responseSchema(request: FastifyRequest, status: number): z.ZodType | undefined {
  const { response } = request.routeOptions.schema ?? {}
  const schema =
    typeof response === 'object' && response !== null
      ? Object.entries(response).find(([code]) => code === String(status))?.[1]
      : undefined
  return schema instanceof z.ZodType ? schema : undefined
}

/** Returns a copy of a response in which the marked fields are hidden that this reader may not see. Parts without hidden fields are shared. */
export async function hideFields<T>(gate: HiddenFieldsGate, reader: UserActor, plan: Plan, payload: T): Promise<T> {
  const asked = new Map<string, AskedText>()
  const businessIds = new Set<string>()
  collect(plan, payload, {
    text: (mark, text) => asked.set(keyOf(mark, text), { kind: mark.kind, text, ofRecords: mark.ofRecords }),
    business: (id) => businessIds.add(id),
  })
  const keys = [...asked.keys()]
  const hidden = asked.size === 0 ? new Set<number>() : await gate.findHidden(reader, [...asked.values()])
  const blocked = businessIds.size === 0 ? new Set<string>() : await gate.findBlocked(reader, [...businessIds])
  const withoutHashes = replace(plan, payload, false, { ...hidesNothing, hidesHashes: true, mask: gate.mask }) as T
  if (hidden.size === 0 && blocked.size === 0) return withoutHashes
  const hiddenKeys = new Set(keys.filter((_, at) => hidden.has(at)))
  const hide: Hide = {
    hidesHashes: false,
    mask: gate.mask,
    isHidden: (mark, text) => hiddenKeys.has(keyOf(mark, text)),
    isBlocked: (id) => blocked.has(id),
  }
  return replace(plan, withoutHashes, false, hide) as T
}

type AskedMark = FieldMark & { kind: ContactKind }
const isAsked = (mark: FieldMark): mark is AskedMark => mark.kind !== null
const keyOf = ({ kind, ofRecords }: AskedMark, text: string) => `${kind}${ofRecords} ${text}`

type Found = { text(mark: AskedMark, text: string): void; business(id: string): void }

function collect(plan: Plan, value: unknown, found: Found): void {
  if (value === null || value === undefined) return
  switch (plan.is) {
    case 'field':
      if (isAsked(plan.mark)) for (const text of textsIn(value)) found.text(plan.mark, text)
      if (plan.inner !== undefined) collect(plan.inner, value, found)
      return
    case 'list':
      if (Array.isArray(value)) for (const item of value) collect(plan.item, item, found)
      return
    case 'record':
      for (const item of Object.values(value)) collect(plan.value, item, found)
      return
    case 'tuple':
      for (const [at, item] of Array.isArray(value) ? value.entries() : []) {
        const inner = planAt(plan, at)
        if (inner !== undefined) collect(inner, item, found)
      }
      return
    case 'choice':
      for (const option of plansOf(plan.options, value)) collect(option, value, found)
      return
    case 'object': {
      if (!isObject(value)) return
      for (const id of subjectsOf(plan, value)) found.business(id)
      for (const [name, field] of plan.fields) collect(field, value[name], found)
    }
  }
}

function planAt({ items, rest }: TuplePlan, position: number): Plan | undefined {
  return position < items.length ? items[position] : rest
}

/** `hidesHashes`: true for the first pass over a response, which hides its hashes and sets no flag. */
type Hide = {
  hidesHashes: boolean
  mask: string
  isHidden(mark: AskedMark, text: string): boolean
  isBlocked(businessId: string): boolean
}
const hidesNothing: Pick<Hide, 'isHidden' | 'isBlocked'> = { isHidden: () => false, isBlocked: () => false }

/** Returns the value with its hidden fields replaced, or the same value if none is hidden. */
function replace(plan: Plan, value: unknown, isBlocked: boolean, hide: Hide): unknown {
  if (value === null || value === undefined) return value
  switch (plan.is) {
    case 'field':
      return replaceField(plan, value, isBlocked, hide)
    case 'list':
      return Array.isArray(value) ? replaceItems(value, (item) => replace(plan.item, item, isBlocked, hide)) : value
    case 'record':
      return replaceEntries(Object(value), (item) => replace(plan.value, item, isBlocked, hide))
    case 'tuple':
      return Array.isArray(value)
        ? replaceItems(value, (item, at) => {
            const inner = planAt(plan, at)
            return inner === undefined ? item : replace(inner, item, isBlocked, hide)
          })
        : value
    case 'choice':
      return plansOf(plan.options, value).reduce(
        (result: unknown, option) => replace(option, result, isBlocked, hide),
        value,
      )
    case 'object':
      return isObject(value) ? replaceObject(plan, value, isBlocked, hide) : value
  }
}

function replaceObject(
  plan: ObjectPlan,
  value: Readonly<Record<string, unknown>>,
  isOuterBlocked: boolean,
  hide: Hide,
): unknown {
  const subjects = subjectsOf(plan, value)
  const isBlocked =
    subjects.length + plan.governing.length === 0
      ? isOuterBlocked
      : subjects.some(hide.isBlocked) || plan.governing.some(([name, field]) => isHidden(field, value[name], hide))
  const changed: Record<string, unknown> = {}
  for (const [name, field] of plan.fields) {
    const shown = replace(field, value[name], isBlocked, hide)
    if (shown !== value[name]) changed[name] = shown
  }
  if (!isBlocked && Object.keys(changed).length === 0) return value
  if (!hide.hidesHashes) for (const name of plan.flags) changed[name] = true
  return { ...value, ...changed }
}

function replaceField(plan: FieldPlan, value: unknown, isBlocked: boolean, hide: Hide): unknown {
  const { mark, inner } = plan
  if (mark.isHash && hide.hidesHashes)
    return mark.instead === undefined ? masked(value, () => true, hide.mask) : mark.instead
  if (!isBlocked && inner !== undefined) return replace(inner, value, isBlocked, hide)
  if (!isBlocked && !isHidden(plan, value, hide)) return value
  if (mark.instead !== undefined && (isBlocked || mark.instead === null)) return mark.instead
  return masked(value, (text) => isBlocked || (isAsked(mark) && hide.isHidden(mark, text)), hide.mask)
}

/** True if a text inside a value is hidden by itself. */
function isHidden(plan: Plan, value: unknown, hide: Hide): boolean {
  let found = false
  const text: Found['text'] = (mark, one) => {
    found ||= hide.isHidden(mark, one)
  }
  collect(plan, value, { text, business: () => {} })
  return found
}

/** Returns a value with those of its texts masked for which `isHidden` is true. */
function masked(value: unknown, isHidden: (text: string) => boolean, mask: string): unknown {
  if (typeof value === 'string') return value !== '' && isHidden(value) ? mask : value
  if (Array.isArray(value)) return replaceItems(value, (item) => masked(item, isHidden, mask))
  if (typeof value !== 'object' || value === null) return value
  return replaceEntries(value, (item) => masked(item, isHidden, mask))
}

function replaceItems(items: readonly unknown[], replaced: (item: unknown, at: number) => unknown): readonly unknown[] {
  const shown = items.map(replaced)
  return shown.some((item, at) => item !== items[at]) ? shown : items
}

function replaceEntries(value: object, replaced: (item: unknown) => unknown): object {
  const shown = Object.entries(value).map(([name, item]) => [name, replaced(item)] as const)
  return shown.some(([name, item]) => item !== Object(value)[name]) ? Object.fromEntries(shown) : value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns the plans of the options that a value of a union has. If several options accept it, all of them hide their fields. If none accepts it, the
 * value is not what the schema says, and all that it can be are applied.
 */
function plansOf(options: readonly Option[], value: unknown): Plan[] {
  const possible = options.filter(({ constants }) =>
    constants.every(([name, values]) => isObject(value) && values.has(value[name])),
  )
  const accepting =
    possible.length === 1 ? possible : possible.filter(({ schema }) => z.core.safeParse(schema, value).success)
  const chosen = [accepting, possible, options].find(({ length }) => length > 0) ?? []
  return chosen.flatMap(({ plan }) => plan ?? [])
}

function subjectsOf({ subjects }: ObjectPlan, value: Readonly<Record<string, unknown>>): string[] {
  return subjects.flatMap((path) => idsAt(value, path))
}

function idsAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => idsAt(item, path))
  const [name, ...rest] = path
  if (name === undefined) return typeof value === 'string' ? [value] : []
  return typeof value === 'object' && value !== null ? idsAt(Object(value)[name], rest) : []
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
