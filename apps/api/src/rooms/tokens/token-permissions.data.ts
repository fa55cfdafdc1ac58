import type { Permission } from '../../lib/declared.ts'

/** The groups in which a person chooses the permissions of a token, in the order of the form. */
export const tokenGroups = {
  prospects: 'Prospects',
  evidence: 'Evidence, notes and interactions',
  suppression: 'Do-not-contact list',
  pipeline: 'Pipeline and reviews',
  research: 'Sources, domains and websites',
  matching: 'Duplicates',
  reports: 'Reports and drafts',
  jobs: 'Jobs',
  audit: 'Audit log',
} as const
export type TokenGroup = keyof typeof tokenGroups

/**
 * Why no token can have a permission. `proof`: its operations require a fresh proof, or it takes contact values out. `people`: it gives or takes access.
 * `settings`: it changes the workspace for everybody. `decision`: the specification requires an authorized human (Authentication 5). `outside`: it
 * starts a request to another system.
 */
export const exclusions = {
  proof: 'A person must confirm their identity first.',
  people: 'It gives or takes access.',
  settings: 'It changes the workspace for everybody.',
  decision: 'A person must decide.',
  outside: 'It starts a request to another system.',
} as const
export type Exclusion = keyof typeof exclusions

/** For each permission the group in which a token can get it, or why no token can. A permission of a room that is missing here does not compile. */
export const tokenPermissions: Readonly<Record<Permission, { group: TokenGroup } | { never: Exclusion }>> = {
  'businesses.read': { group: 'prospects' },
  'businesses.write': { group: 'prospects' },
  'people.read': { group: 'prospects' },
  'people.write': { group: 'prospects' },
  'businesses.deactivate': { group: 'prospects' },
  'businesses.deactivate_any': { group: 'prospects' },
  'sources.preview': { group: 'prospects' },
  'dashboard.read': { group: 'prospects' },

  'evidence.read': { group: 'evidence' },
  'evidence.write': { group: 'evidence' },
  'notes.read': { group: 'evidence' },
  'notes.read_sensitive': { group: 'evidence' },
  'notes.write': { group: 'evidence' },
  'interactions.read': { group: 'evidence' },
  'interactions.write': { group: 'evidence' },

  'suppression.read': { group: 'suppression' },
  'suppression.add': { group: 'suppression' },
  'suppression.see_values': { group: 'suppression' },
  'businesses.block': { group: 'suppression' },
  'registry.read': { group: 'suppression' },

  'pipeline.read': { group: 'pipeline' },
  'pipeline.move': { group: 'pipeline' },
  'review.read': { group: 'pipeline' },
  'scoring.read': { group: 'pipeline' },

  'sources.read': { group: 'research' },
  'sources.record': { group: 'research' },
  'sources.dry_run': { group: 'research' },
  'domains.read': { group: 'research' },
  'domains.record': { group: 'research' },
  'domains.propose': { group: 'research' },
  'scanning.read': { group: 'research' },
  'scanning.supply': { group: 'research' },
  'scanning.plan': { group: 'research' },
  'scanning.propose_site': { group: 'research' },
  'contacts.read': { group: 'research' },
  'contacts.read_counts': { group: 'research' },
  'contacts.extract': { group: 'research' },

  'matching.read': { group: 'matching' },
  'matching.run': { group: 'matching' },

  'reports.read': { group: 'reports' },
  'reports.create': { group: 'reports' },
  'drafts.read': { group: 'reports' },
  'drafts.write': { group: 'reports' },
  'assist.read': { group: 'reports' },

  'jobs.read': { group: 'jobs' },
  'jobs.create': { group: 'jobs' },
  'jobs.cancel': { group: 'jobs' },

  'audit.read': { group: 'audit' },
  'audit.verify': { group: 'audit' },

  'erasure.erase': { never: 'proof' },
  'exports.create': { never: 'proof' },
  'exports.read': { never: 'proof' },
  'registry.manage': { never: 'proof' },
  'suppression.remove': { never: 'proof' },
  'sources.delete_raw': { never: 'proof' },
  'matching.reverse': { never: 'proof' },
  'requests.read': { never: 'proof' },
  'holdings.create': { never: 'proof' },

  'users.manage': { never: 'people' },
  'tokens.manage': { never: 'people' },
  'sources.configure': { never: 'people' },

  'tenant.configure': { never: 'settings' },
  'pipeline.configure': { never: 'settings' },
  'review.configure': { never: 'settings' },
  'drafts.configure': { never: 'settings' },
  'assist.configure': { never: 'settings' },
  'scanning.write_policy': { never: 'settings' },
  'scoring.write': { never: 'settings' },
  'sources.propose': { never: 'settings' },
  'saved_filters.manage': { never: 'settings' },
  'saved_filters.share': { never: 'settings' },
  'sample_data.create': { never: 'settings' },

  'sources.approve': { never: 'decision' },
  'sources.enable': { never: 'decision' },
  'sources.reset_circuit': { never: 'decision' },
  'drafts.approve': { never: 'decision' },
  'drafts.copy': { never: 'decision' },
  'assist.decide': { never: 'decision' },
  'assist.approve_policies': { never: 'decision' },
  'scanning.approve_site': { never: 'decision' },
  'scanning.approve_policy': { never: 'decision' },
  'scoring.approve': { never: 'decision' },
  'scoring.recalculate': { never: 'decision' },
  'contacts.enable': { never: 'decision' },
  'contacts.decide': { never: 'decision' },
  'domains.decide': { never: 'decision' },
  'matching.merge': { never: 'decision' },
  'matching.reject': { never: 'decision' },
  'review.decide': { never: 'decision' },
  'review.bulk': { never: 'decision' },
  'jobs.retry': { never: 'decision' },
  'requests.manage': { never: 'decision' },

  'sources.query': { never: 'outside' },
  'domains.check': { never: 'outside' },
  'scanning.fetch': { never: 'outside' },
  'assist.request': { never: 'outside' },
}
