import type { DnsRecord } from '@prospect/adapter-contract/dns'
import type { Actor } from '../../../lib/actor.ts'
import { createBreather } from '../../../lib/event-loop.ts'
import type { Store } from '../../../store/store.ts'
import { findHiddenValues, HIDDEN, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import { hostOfAddress, readDomainName, unitOf, valuesIn } from '../../normalization/normalization.ts'
import { standingOf } from '../names/withheld.ts'
import { dnsLimits } from './dns.schema.ts'

/*
 * Records and aliases of DNS observations for readers who may not see suppressed values. An observation about one domain can name another: the host of
 * a mail exchange or name server, an alias, or an address in a TXT record.
 */

/** The part of an observation that can name other domains, addresses and numbers. */
type Named = { name: string; resolver: string | null; records: DnsRecord[]; aliases: string[] }

/**
 * Returns a function that replaces the values of names, records and aliases that this reader may not see. A TXT record is replaced as a whole. TXT records
 * that are longer than `dnsLimits.readTextLength`, or than `dnsLimits.readTextsLength` together, are replaced without reading them. Fails closed, as
 * the gate does.
 */
export async function hidingRecords(
  store: Store,
  reader: Actor,
  observations: readonly Named[],
): Promise<<N extends Named>(observation: N) => N> {
  if (!hidesValuesFrom(reader, { doNotContact: true })) return (observation) => observation
  const texts = [...new Set(observations.flatMap(readTextsOf))]
  const asked = texts.map((value) => ({ kind: 'domain' as const, value }))
  const suppressed = await findHiddenValues({ db: store.reader, keys: store.keys }, reader, asked)
  const named = await domainsIn(texts)
  const { withheld } = await standingOf(store, reader, [...new Set(named.flat())])
  const hidden = new Set(
    texts.filter((_, at) => suppressed.has(at) || named[at]?.some((domain) => withheld.has(domain)) === true),
  )
  const shown = (text: string) => (hidden.has(text) ? HIDDEN : text)
  return (observation) => {
    const isUnread = unreadIn(observation)
    return {
      ...observation,
      name: shown(observation.name),
      resolver: observation.resolver === null ? null : shown(observation.resolver),
      records: observation.records.map((record) => withText(record, isUnread(record) ? () => HIDDEN : shown)),
      aliases: observation.aliases.map(shown),
    }
  }
}

/** Returns the domains that each text names, by itself or behind the `@` of an address. */
async function domainsIn(texts: readonly string[]): Promise<string[][]> {
  const breathe = createBreather()
  const named: string[][] = []
  for (const text of texts) {
    const hosts = valuesIn(text).flatMap(({ kind, normalized }) => (kind === 'phone' ? [] : hostOfAddress(normalized)))
    named.push(hosts.flatMap((host) => unitOf(readDomainName(host)) ?? []))
    await breathe()
  }
  return named
}

function readTextsOf(observation: Named): string[] {
  const isUnread = unreadIn(observation)
  const read = observation.records.filter((record) => !isUnread(record))
  return [observation.name, observation.resolver ?? '', ...read.map(textOf), ...observation.aliases]
}

/** Returns a function that is true for records which are too long to be read while a person waits. */
function unreadIn({ records }: Named): (record: DnsRecord) => boolean {
  const lengths = records.map((record) => (record.kind === 'TXT' ? record.text.length : 0))
  const isTooMuch = lengths.reduce((sum, length) => sum + length, 0) > dnsLimits.readTextsLength
  return (record) => record.kind === 'TXT' && (isTooMuch || record.text.length > dnsLimits.readTextLength)
}

function textOf(record: DnsRecord): string {
  switch (record.kind) {
    case 'MX':
      return record.exchange
    case 'NS':
      return record.host
    case 'TXT':
      return record.text
  }
}

function withText(record: DnsRecord, shown: (text: string) => string): DnsRecord {
  switch (record.kind) {
    case 'MX':
      return { ...record, exchange: shown(record.exchange) }
    case 'NS':
      return { ...record, host: shown(record.host) }
    case 'TXT':
      return { ...record, text: shown(record.text) }
  }
}
