import {
  hostOfAddress,
  isFreeMailDomain,
  isRoleMailbox,
  nameOfAddress,
  valuesIn,
} from '../../normalization/normalization.ts'
import {
  attributeOf,
  decodePage,
  type HtmlElement,
  isUnder,
  maskAround,
  maskContactValues,
  parseHtml,
} from '../../scanning/scanning.thread.ts'
import type { ContactKind, Method, QuarantineRule, Syntax } from '../contacts.table.ts'
import { quarantineRules } from '../contacts.table.ts'
import { exampleBounds, excludedExample } from './excluded-example.rules.ts'
import type {
  Confidence,
  ConfidenceReason,
  ContactOrder,
  ExcludedRule,
  FoundValue,
  PageScope,
  ProtectedRule,
  ReadContacts,
} from './found-values.ts'
import { readJsonLd } from './json-ld.rules.ts'
import { type LinkValue, readLink } from './links.rules.ts'
import { mailsInText, readAddress } from './mail-in-text.rules.ts'
import { addressesOfScript, addressOfHiddenMail, addressOfParts, decodeCfEmail } from './obfuscated.rules.ts'
import {
  type Aside,
  type DecodedValue,
  type Line,
  type PageLink,
  type PageText,
  partsAt,
  readPageText,
  readPlainText,
} from './page-text.ts'
import { digitsOf, phonesInText, readPhoneValue } from './phones-in-text.rules.ts'
import { creditsBefore, fileExtensions, pictureOfValue, pictureWords } from './value-words.data.ts'

/** Reads the contact values that one page states. Runs in a worker thread and reads nothing else. */

/** Characters of text around a value, of a heading, and of the text that is searched for credits. */
const CONTEXT = 160
const WINDOW = 400
const HEADING = 80
const CREDITS = 120
const TITLE = 200
const MAX_COUNTED = 10_000
/** Scripts of a page in which addresses are decoded. */
const MAX_SCRIPTS = 20
/** Number of last digits that the local and international forms of a number share. */
const NATIONAL_DIGITS = 9

type Value = Pick<FoundValue, 'kind' | 'value' | 'normalized' | 'uncertainty' | 'region' | 'syntax'> & {
  isConfusable: boolean
}
/** The place of a value: a range in the text of a line. The text is empty for a value that no line shows. */
type Place = { line: Line; from: number; to: number }
type Finding = Value & { method: Method; rule: QuarantineRule | null; place: Place }

type Reading = {
  order: ContactOrder
  findings: Finding[]
  /** where fax numbers begin in the lines of the text */
  faxes: Map<Line, number[]>
  excluded: Partial<Record<ExcludedRule, number>>
  protectedValues: Partial<Record<ProtectedRule, number>>
  examples: Partial<Record<ExcludedRule, string[]>>
}

export function readContacts(order: ContactOrder): ReadContacts {
  const { text: source } = decodePage(order.bytes, order.contentType)
  const url = new URL(order.url)
  const reading: Reading = { order, findings: [], excluded: {}, protectedValues: {}, examples: {}, faxes: new Map() }
  const { page, blocks, isWhole } =
    order.format === 'text'
      ? { page: readPlainText(source, { url, role: order.role }), blocks: [], isWhole: true }
      : readHtml(source, url, reading)
  if (page.scope === 'out') return nothingOf(page, isWhole, order)
  readLines(reading, page)
  readLinks(reading, page)
  readStated(reading, page)
  quarantineBesideOthers(reading)
  if (page.scope === 'page') readBlocks(reading, blocks, url)
  return {
    scope: page.scope,
    title: titleOf(page, order),
    values: limited(reading, page.scope),
    excluded: reading.excluded,
    protected: reading.protectedValues,
    examples: reading.examples,
    isWhole: isWhole && page.isWhole,
  }
}

function nothingOf(page: PageText, isWhole: boolean, order: ContactOrder): ReadContacts {
  return { scope: 'out', title: titleOf(page, order), values: [], excluded: {}, protected: {}, examples: {}, isWhole }
}

function titleOf({ title }: PageText, { url, ownDomains }: ContactOrder): string | null {
  if (title === '') return null
  return maskContactValues(title.slice(0, WINDOW), [new URL(url).hostname, ...ownDomains])
    .slice(0, TITLE)
    .toWellFormed()
}

function readHtml(source: string, url: URL, reading: Reading) {
  const { document, isWhole } = parseHtml(source)
  const blocks: string[] = []
  const seen: Partial<Record<ExcludedRule, number>> = {}
  const protectedValues: Reading['protectedValues'] = {}
  let scripts = 0
  let inBlocks = 0
  const aside: Aside = {
    raw: (rule, text, element) => {
      const found = addressesIn(text)
      if (element !== undefined && isLinkedData(element)) inBlocks += found
      else if (found > 0) seen[rule] = (seen[rule] ?? 0) + found
    },
    script: (element, isInScope) => {
      const text = textOf(element)
      if (isLinkedData(element)) blocks.push(text)
      else if (/document\.write|\.innerHTML|\.href\s*=/.test(text) && /mailto|@|&#64;|\\x40|%40/.test(text)) {
        scripts += 1
        // A script can also contain addresses of others, such as those of its maker.
        const own = (scripts > MAX_SCRIPTS ? [] : addressesOfScript(text)).filter((address) =>
          isOfSite(reading.order, hostOfAddress(address).toLowerCase()),
        )
        if (own.length === 0) count(protectedValues, 'script_made')
        return isInScope ? own : []
      }
      return []
    },
    element: (element, isInScope) => {
      const decoded = decodedOf(element)
      if (decoded !== undefined) return isInScope ? [decoded] : []
      const rule = protectionOf(element)
      if (rule !== undefined && isInScope) count(protectedValues, rule)
      return []
    },
    reversed: (text) => valuesOfReversed(text, reading.order.country),
  }
  const page = readPageText(document, { url, role: reading.order.role, aside })
  if (page.scope !== 'out') {
    // Linked data of a page is not read if only a section is, because the data may describe another part of the page.
    if (page.scope === 'section' && inBlocks > 0) seen.script = (seen.script ?? 0) + inBlocks
    reading.excluded = seen
    reading.protectedValues = protectedValues
  }
  return { page, blocks, isWhole }
}

function isLinkedData(element: HtmlElement): boolean {
  return element.tagName === 'script' && /ld\+json/i.test(attributeOf(element, 'type') ?? '')
}

/** Returns the values in a text whose characters a page reverses for programs and shows in order for people. */
function valuesOfReversed(text: string, country: string): DecodedValue[] {
  const found = valuesIn(text)
  const mails = mailsInText(text, found).flatMap(({ reading }) => reading ?? [])
  const phones = phonesInText(text, { found, country }).flatMap(({ reading }) => reading ?? [])
  return [
    ...mails.map(({ value }): DecodedValue => ({ itemprop: 'email', content: value })),
    ...phones.map(({ value }): DecodedValue => ({ itemprop: 'telephone', content: value })),
  ]
}

/** Returns the address that attributes of an element encode; undefined if they encode none. */
function decodedOf(element: HtmlElement): string | undefined {
  if (element.attrs.length === 0) return undefined
  if (element.tagName === 'joomla-hidden-mail') return addressOfHiddenMail((name) => attributeOf(element, name))
  const encoded =
    attributeOf(element, 'data-cfemail') ??
    /\/cdn-cgi\/l\/email-protection#([\da-f]+)/i.exec(attributeOf(element, 'href') ?? '')?.[1]
  if (encoded !== undefined) return decodeCfEmail(encoded)
  const address = addressOfParts((name) => attributeOf(element, name))
  return address !== undefined && typeof readAddress(address) !== 'string' ? address : undefined
}

/** Returns the protection of a value that a browser shows only after decoding it, by a script, or as a picture. */
function protectionOf(element: HtmlElement): ProtectedRule | undefined {
  if (attributeOf(element, 'data-cfemail') !== undefined) return 'cf_email'
  if (element.tagName === 'img') {
    const { src, alt } = { src: attributeOf(element, 'src') ?? '', alt: attributeOf(element, 'alt') ?? '' }
    return pictureOfValue.test(src.slice(0, WINDOW)) || pictureWords.test(alt.slice(0, WINDOW)) ? 'picture' : undefined
  }
  const href = element.tagName === 'a' ? (attributeOf(element, 'href') ?? '') : ''
  if (/\/cdn-cgi\/l\/email-protection#/.test(href)) return 'cf_email'
  return /^\s*javascript:.*(?:mail|crypt|@)/i.test(href.slice(0, WINDOW)) ? 'script_made' : undefined
}

function readLines(reading: Reading, { lines }: PageText): void {
  let before = ''
  for (const line of lines) {
    const label = before
    before = line.text
    if (!line.isInScope) continue
    const values = valuesIn(line.text)
    const faxes: number[] = []
    for (const one of mailsInText(line.text, values)) {
      if (one.reading === null) leaveOut(reading, one.excluded, line.text.slice(one.from, one.to))
      else
        add(reading, { line, from: one.from, to: one.to }, methodAt(line, one.from, one.to), {
          ...one.reading,
          kind: 'email',
          uncertainty: null,
          region: null,
          rule: one.isWrittenOut ? 'written_out' : null,
        })
    }
    for (const one of phonesInText(line.text, { label, found: values, country: reading.order.country })) {
      const place = { line, from: one.from, to: one.to }
      const excluded = one.excluded ?? (isBehindFaxSign(line, one.from) ? 'fax' : null)
      if (excluded === 'fax') faxes.push(one.from)
      if (one.reading === null || excluded !== null)
        leaveOut(reading, excluded ?? 'unclear', line.text.slice(one.from, one.to))
      else
        add(reading, place, methodAt(line, one.from, one.to), {
          ...one.reading,
          kind: 'phone',
          isConfusable: false,
          rule: null,
        })
    }
    if (faxes.length > 0) reading.faxes.set(line, faxes)
  }
}

/** True if an icon or a class says that this number is a fax number: no other number is between both. */
function isBehindFaxSign({ text, faxAt }: Line, from: number): boolean {
  const last = faxAt.findLast((at) => at <= from)
  return last !== undefined && !/\d|tel|phone|foon/i.test(text.slice(last, from))
}

function methodAt(line: Line, from: number, to: number): Method {
  return partsAt(line, from, to).find(({ method }) => method !== 'text')?.method ?? 'text'
}

type Added = Value & { rule: QuarantineRule | null }

function add(reading: Reading, place: Place, method: Method, { rule, ...value }: Added): void {
  const { line, from, to } = place
  const zones = partsAt(line, from, to).flatMap(({ zone }) => zone ?? [])
  const found = [
    ...zones,
    ...(isCredited(line, from) ? ['credits' as const] : []),
    ...(rule === null ? [] : [rule]),
    ...(value.isConfusable ? ['confusable' as const] : []),
    ...(value.syntax === 'invalid' ? ['syntax' as const] : []),
    ...(isOfOthers(reading.order, value) ? ['other_domain' as const] : []),
  ]
  reading.findings.push({ ...value, method, place, rule: strongest(found) })
}

function strongest(rules: readonly QuarantineRule[]): QuarantineRule | null {
  return quarantineRules.find((rule) => rules.includes(rule)) ?? null
}

function isCredited({ text }: Line, from: number): boolean {
  return creditsBefore.test(text.slice(Math.max(0, from - CREDITS), from))
}

function domainOf({ kind, normalized }: Pick<Value, 'kind' | 'normalized'>): string | undefined {
  return kind === 'email' && normalized !== null ? hostOfAddress(normalized) : undefined
}

function isOfOthers({ ownDomains }: ContactOrder, value: Value): boolean {
  const domain = domainOf(value)
  return domain !== undefined && !isOfSite({ ownDomains }, domain)
}

/** True for a domain of the record or its site, and for one at which anybody can have a mailbox. */
function isOfSite({ ownDomains }: Pick<ContactOrder, 'ownDomains'>, domain: string): boolean {
  return isUnder(domain, ownDomains) || isFreeMailDomain(domain)
}

/** Reads links and the values that their texts show. If both differ, neither value is certain. */
function readLinks(reading: Reading, { links }: PageText): void {
  for (const link of links) {
    const { line, from, to } = link
    if (!line.isInScope) continue
    const read = readLink(link.href, reading.order.country)
    if (read === undefined) continue
    for (const rule of read.excluded) leaveOut(reading, rule, link.href.replace(/^mailto:/i, ''))
    if (read.values.length === 0) continue
    const shown = reading.findings.filter(
      ({ place, method }) => place.line === line && place.from >= from && place.to <= to && method !== 'mailto',
    )
    const isFax = reading.faxes.get(line)?.some((at) => at >= from && at < to) === true
    for (const value of read.values) if (!isFax || value.kind !== 'phone') addLinked(reading, link, value, shown)
  }
}

function addLinked(reading: Reading, link: PageLink, value: LinkValue, shown: readonly Finding[]): void {
  const others = shown.filter(({ kind }) => kind === value.kind)
  const isOther = others.length > 0 && !others.some((other) => isSame(other, value))
  if (isOther && value.rule !== 'mailto_copy')
    for (const other of others) other.rule = strongest([...(other.rule === null ? [] : [other.rule]), 'link_differs'])
  const { line, from, to } = link
  const { method, rule, ...rest } = value
  const inText = line.text.slice(from, to)
  const at = inText.indexOf(value.value)
  const place = at === -1 ? { line, from, to } : { line, from: from + at, to: from + at + value.value.length }
  const rules: (QuarantineRule | null)[] = [link.zone, rule, isOther ? 'link_differs' : null]
  add(reading, place, method, { ...rest, rule: strongest(rules.filter((one) => one !== null)) })
}

/**
 * Quarantines a phone whose nearest address in its line is at the domain of somebody else, such as a supervisory authority, if the page also states an
 * address of its own.
 */
function quarantineBesideOthers({ order, findings }: Reading): void {
  const mails = findings.filter(({ kind, normalized }) => kind === 'email' && normalized !== null)
  const isOwn = ({ rule, ...mail }: Finding) =>
    (rule === null || rule === 'obfuscated' || rule === 'written_out') && !isOfOthers(order, mail)
  if (!mails.some(isOwn)) return
  const ofLine = Map.groupBy(mails, ({ place }) => place.line)
  for (const phone of findings) {
    if (phone.kind !== 'phone') continue
    let nearest: Finding | undefined
    for (const mail of ofLine.get(phone.place.line) ?? [])
      if (nearest === undefined || distanceOf(mail.place, phone.place) < distanceOf(nearest.place, phone.place))
        nearest = mail
    if (nearest !== undefined && isOfOthers(order, nearest))
      phone.rule = strongest([...(phone.rule === null ? [] : [phone.rule]), 'other_domain'])
  }
}

function distanceOf(one: Place, other: Place): number {
  return Math.max(one.from - other.to, other.from - one.to, 0)
}

function isSame(
  one: Pick<Value, 'kind' | 'value' | 'normalized'>,
  other: Pick<Value, 'kind' | 'value' | 'normalized'>,
): boolean {
  if (one.normalized !== null && one.normalized === other.normalized) return true
  if (one.kind === 'email') return one.value.toLowerCase() === other.value.toLowerCase()
  // The two values are a local form and the same number with its country.
  const [a, b] = [nationalOf(one.value), nationalOf(other.value)]
  return a === b && (one.normalized === null || other.normalized === null)
}

function nationalOf(value: string): string {
  return digitsOf(value.replace(/(?:x|ext\.?|uitbr?\.?)\s*[:.]?\s*\d+$/i, '')).slice(-NATIONAL_DIGITS)
}

function readStated(reading: Reading, { stated }: PageText): void {
  for (const { itemprop, content, isDecoded, zone, line } of stated) {
    if (!line.isInScope) continue
    const rule = strongest([...(zone === null ? [] : [zone]), isDecoded ? 'obfuscated' : 'hidden']) ?? 'hidden'
    addText(reading, itemprop === 'email' ? 'email' : 'phone', content, line, isDecoded ? 'text' : 'microdata', rule)
  }
}

function addText(
  reading: Reading,
  kind: ContactKind,
  text: string,
  line: Line,
  method: Method,
  rule: QuarantineRule,
): void {
  const place = { line, from: 0, to: 0 }
  if (kind === 'email') {
    const answer = readAddress(text.replace(/^mailto:/i, '').trim())
    if (typeof answer === 'string') leaveOut(reading, answer, text)
    else add(reading, place, method, { ...answer, kind, uncertainty: null, region: null, rule })
    return
  }
  const answer = readPhoneValue(text.replace(/^tel:/i, '').trim(), reading.order.country)
  if (typeof answer === 'string') leaveOut(reading, answer, text)
  else add(reading, place, method, { ...answer, kind, isConfusable: false, rule })
}

const linkedDataLine: Line = { text: '', parts: [], heading: '', region: 'json_ld', isInScope: true, faxAt: [] }

function readBlocks(reading: Reading, blocks: readonly string[], url: URL): void {
  for (const block of blocks) {
    const values = readJsonLd(block, { host: url.hostname, names: reading.order.names })
    if (values === undefined) count(reading.excluded, 'json_ld_unreadable')
    for (const { kind, text, isOwn } of values ?? [])
      addText(reading, kind, text, linkedDataLine, 'json_ld', isOwn ? 'json_ld_only' : 'other_organisation')
  }
}

/** Returns each value of a page once, in its best place. Values beyond the limit wait in quarantine. */
function limited({ order, findings }: Reading, scope: PageScope): FoundValue[] {
  const groups = Map.groupBy(findings, keyOf)
  return [...groups.values()].map((group, at) => {
    const best = group.reduce((one, other) => (rankOf(other) < rankOf(one) ? other : one))
    const isPast = at >= order.maxValues
    return foundValue(order, best, group, scope, isPast ? (best.rule ?? 'value_limit') : best.rule)
  })
}

/**
 * Returns the key of a value. A local number that is no number of the workspace's country has a key of its own, because only a person may decide which
 * number it is.
 */
function keyOf({ kind, value, normalized }: Pick<Value, 'kind' | 'value' | 'normalized'>): string {
  if (normalized !== null) return `${kind}:${normalized}`
  return kind === 'phone' ? `phone?${digitsOf(value)}` : `email?${value.toLowerCase()}`
}

function rankOf({ rule, method, place, region }: Finding): number {
  const byRule = rule === null ? 0 : 100
  // A place in the text is better than structured data, which no reader sees.
  const byPlace = place.line.text === '' ? 10 : 0
  // A number that states its country is better than the same number in local form.
  return byRule + byPlace + (region === null ? 0 : 5) + (method === 'json_ld' ? 2 : 0) + (method === 'text' ? 1 : 0)
}

function foundValue(
  order: ContactOrder,
  best: Finding,
  group: readonly Finding[],
  scope: PageScope,
  rule: QuarantineRule | null,
): FoundValue {
  const { kind, value, normalized, uncertainty, region, syntax, method, place } = best
  const domain = domainOf(best)
  const isFreeMail = domain !== undefined && isFreeMailDomain(domain)
  return {
    kind,
    value,
    normalized,
    uncertainty,
    region,
    rule,
    method,
    location: locationOf(place.line, order),
    context: contextOf(place, value, order),
    syntax,
    isRole: kind === 'email' && isRoleMailbox(nameOfAddress(normalized ?? value.toLowerCase())),
    isFreeMail,
    confidence: confidenceOf({ order, rule, domain, isFreeMail, uncertainty, region, syntax, group, scope }),
  }
}

type Judged = {
  order: ContactOrder
  rule: QuarantineRule | null
  domain: string | undefined
  isFreeMail: boolean
  uncertainty: string | null
  region: string | null
  syntax: Syntax
  group: readonly Finding[]
  scope: PageScope
}

/** Returns the confidence that the page states this value as its own. The confidence says nothing about permission or delivery. */
function confidenceOf({
  order,
  rule,
  domain,
  isFreeMail,
  uncertainty,
  region,
  syntax,
  group,
  scope,
}: Judged): Confidence {
  const methods = new Set(group.map((one) => one.method))
  const reasons: ConfidenceReason[] = []
  if (domain !== undefined && isUnder(domain, order.ownDomains)) reasons.push('own_domain')
  if (methods.has('mailto') || methods.has('tel') || methods.has('chat_link')) reasons.push('linked')
  if (['microdata', 'h_card', 'hcard', 'json_ld'].some((method) => methods.has(method as Method)))
    reasons.push('structured_data')
  if (order.role === 'contact' || scope === 'section') reasons.push('on_contact_page')
  const supports = reasons.length
  if (isFreeMail) reasons.push('free_mail')
  if (uncertainty !== null) reasons.push('no_country')
  if (region !== null) reasons.push('workspace_country')
  if (syntax !== 'valid') reasons.push('unusual_syntax')
  if (rule !== null) reasons.push('quarantined')
  const level =
    rule !== null || syntax === 'invalid' ? 'low' : supports - (reasons.length - supports) >= 1 ? 'high' : 'medium'
  return { level, reasons }
}

function locationOf({ region, heading }: Line, { ownDomains }: ContactOrder): string {
  const masked = maskContactValues(heading.slice(0, WINDOW), ownDomains).slice(0, HEADING).toWellFormed()
  return [region, masked].filter((part) => part !== '').join(' › ')
}

/** Returns the text around a value, with every other contact value masked. */
function contextOf({ line: { text }, from, to }: Place, value: string, { ownDomains }: ContactOrder): string {
  const room = Math.max(0, CONTEXT - value.length)
  const start = tail(text.slice(0, from))
  const shown = text.slice(from, to)
  const place = { from: start.length, to: start.length + shown.length }
  const { before, behind } = maskAround(start + shown + head(text.slice(to)), place, ownDomains)
  const middle = shown === value || shown === '' ? value : `${maskContactValues(shown, ownDomains)} (${value})`
  const half = Math.max(0, Math.floor((room - (middle.length - value.length)) / 2))
  return `${before.slice(Math.max(0, before.length - half))}${middle}${behind.slice(0, half)}`
    .slice(0, CONTEXT)
    .trim()
    .toWellFormed()
}

/** Returns the end of a text from a word on, because a cut value would not be recognized and masked. */
function tail(text: string): string {
  if (text.length <= WINDOW) return text
  return /\s\p{L}.*$/su.exec(text.slice(-WINDOW))?.[0] ?? ''
}

function head(text: string): string {
  if (text.length <= WINDOW) return text
  return /^.*\p{L}(?=\s)/su.exec(text.slice(0, WINDOW))?.[0] ?? ''
}

function textOf(element: HtmlElement): string {
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('')
}

/** Returns the number of addresses in a part of the page that no reader sees. */
function addressesIn(text: string): number {
  let found = 0
  for (let at = text.indexOf('@'); at !== -1 && found < MAX_COUNTED; at = text.indexOf('@', at + 1))
    if (/[\w-]/.test(text.charAt(at - 1)) && isHostAt(text, at + 1)) found += 1
  return found
}

/** True if a host begins at this place. A file name, such as `logo@2x.png`, has the same form. */
function isHostAt(text: string, from: number): boolean {
  const [host = ''] = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/i.exec(text.slice(from, from + 80)) ?? []
  return host !== '' && !fileExtensions.has(host.slice(host.lastIndexOf('.') + 1).toLowerCase())
}

/** Counts an excluded text, and stores the first of each kind as examples. */
function leaveOut({ excluded, examples }: Reading, rule: ExcludedRule, text: string): void {
  count(excluded, rule)
  const example = excludedExample(text)
  const shown = examples[rule] ?? []
  if (example !== '' && !shown.includes(example) && shown.length < exampleBounds.ofRule)
    examples[rule] = [...shown, example]
}

function count<Rule extends string>(counts: Partial<Record<Rule, number>>, rule: Rule): void {
  counts[rule] = (counts[rule] ?? 0) + 1
}
