const resolverWords: Readonly<Record<string, string>> = {
  'server operator': 'the server operator',
  'scanning.approve_site': 'a manager or an administrator',
  'sources.propose': 'a manager or an administrator',
  'sources.enable': 'a manager or an administrator',
  'sources.reset_circuit': 'a manager or an administrator',
  'contacts.enable': 'an administrator',
  'suppression.remove': 'an administrator',
}

/** Role that can resolve an open item. The API returns a permission or words; words are shown as they are. */
export const resolverOf = (resolvedBy: string): string => resolverWords[resolvedBy] ?? resolvedBy
