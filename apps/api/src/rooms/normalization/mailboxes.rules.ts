import { anyProvider, type ProviderRule, providerRules } from './mailbox-providers.data.ts'

/** The mailbox to which a provider delivers an address. */
export type Mailbox = { host: string; name: string }

/** Returns the mailbox of an email address in normalized form. All spellings that a provider delivers to one mailbox give the same result. */
export function mailboxOf(address: string): Mailbox {
  const at = address.lastIndexOf('@')
  const typed = address.slice(at + 1).replace(/^(?:www\.)+(?=.+\.)/, '')
  const { rule, host, name } = deliveryOf(typed)
  return { host, name: name ?? nameOf(address.slice(0, at), rule) }
}

function nameOf(local: string, { ignored, labelsAfter }: ProviderRule): string {
  const label = [...local].findIndex((character, index) => index > 0 && labelsAfter.includes(character))
  const unlabelled = label === -1 ? local : [...local].slice(0, label).join('')
  const name = [...unlabelled].filter((character) => !ignored.includes(character)).join('')
  return name === '' ? local : name
}

/** Returns all hosts of the providers whose mailboxes are at this host or below it. */
export function hostsDeliveringTo(host: string): string[] {
  const delivering = providerRules.filter(({ hosts: [first] }) => `.${first}`.endsWith(`.${host}`))
  return delivering.flatMap(({ hosts }) => hosts)
}

const ruleByHost = new Map(providerRules.flatMap((rule) => rule.hosts.map((host) => [host, rule] as const)))

function deliveryOf(host: string): { rule: ProviderRule; host: string; name?: string } {
  const rule = ruleByHost.get(host)
  if (rule !== undefined) return { rule, host: rule.hosts[0] ?? host }
  const dot = host.indexOf('.')
  const parent = dot === -1 ? undefined : ruleByHost.get(host.slice(dot + 1))
  if (parent?.subdomainIsName === true) return { rule: parent, host: parent.hosts[0] ?? host, name: host.slice(0, dot) }
  return { rule: anyProvider, host }
}
