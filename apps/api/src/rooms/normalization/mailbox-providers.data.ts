/** The rule by which a mailbox provider reads an address. Where a provider's rule is not known, the rule that suppresses more addresses is used. */
export type ProviderRule = {
  /** hosts with the same mailboxes; the first one stands for all in keys; with `subdomainIsName` their subdomains belong to them too */
  hosts: readonly string[]
  /** characters that the provider ignores in the local part */
  ignored: string
  /** characters that separate the name of the mailbox from a label that the user chose */
  labelsAfter: string
  /** true if `anything@name.host` is delivered to `name@host` */
  subdomainIsName?: true
  reason: string
}

/** The rule for every host that has no rule of its own. */
export const anyProvider: ProviderRule = {
  hosts: [],
  ignored: '',
  labelsAfter: '+',
  reason:
    'Most providers deliver name+label to name. Where one does not, name is another mailbox of the same house, and to leave it alone is the smaller mistake. Case is ignored by all of them.',
}

export const providerRules: readonly ProviderRule[] = [
  {
    hosts: ['gmail.com', 'googlemail.com'],
    ignored: '.',
    labelsAfter: '+',
    reason: 'Gmail ignores dots and what follows a plus; googlemail.com is the same mailbox.',
  },
  {
    hosts: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    ignored: '.-_',
    labelsAfter: '+',
    reason: 'Proton ignores dots, hyphens and underscores; a name exists once over all its hosts.',
  },
  {
    hosts: ['icloud.com', 'me.com', 'mac.com'],
    ignored: '',
    labelsAfter: '+',
    reason: 'Older accounts of Apple receive under all three hosts.',
  },
  {
    hosts: ['yahoo.com', 'ymail.com', 'rocketmail.com', 'yahoo.co.za', 'yahoo.co.uk'],
    ignored: '',
    labelsAfter: '+-',
    reason:
      'A name at Yahoo holds no hyphen: what has one is a disposable address, its first part the base. The hosts are taken as one, because a base serves under several.',
  },
  {
    hosts: ['yandex.ru', 'yandex.com', 'ya.ru', 'yandex.by', 'yandex.kz'],
    ignored: '.-',
    labelsAfter: '+',
    reason: 'Yandex reads dots and hyphens alike, and every host as the same account.',
  },
  {
    hosts: ['fastmail.com'],
    ignored: '',
    labelsAfter: '+',
    subdomainIsName: true,
    reason: 'Fastmail delivers anything@name.fastmail.com to name@fastmail.com.',
  },
  {
    hosts: ['fastmail.fm'],
    ignored: '',
    labelsAfter: '+',
    subdomainIsName: true,
    reason: 'As fastmail.com; another name space.',
  },
]
