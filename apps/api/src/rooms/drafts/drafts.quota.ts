import type { LimitWords, RecordLimit } from '../../lib/limit-reached.ts'
import { dailyQuota, rowQuota } from '../../store/change/quota.ts'
import type { UsedLimit } from '../room.ts'
import { countRecentCopies } from './copies/copies.queries.ts'
import { limits } from './limits.ts'

/** Drafts are closed and never deleted. */
export const draftQuota = dailyQuota({
  name: 'drafts_of_day',
  label: 'drafts created',
  action: 'draft.create',
  max: 1_000,
})

export const templateQuota = rowQuota({
  name: 'draft_templates',
  table: 'draft_templates',
  label: 'draft templates',
  remedy: 'Delete one first.',
  max: limits.templatesOfTenant,
})

/** Versions of all draft policies. They are never deleted, because approvals name them. */
export const policyQuota = rowQuota({
  name: 'draft_policies',
  table: 'draft_policies',
  label: 'versions of draft policies',
  remedy: 'Policies cannot be deleted, so the current policies stay in force. Ask the server operator.',
  max: limits.policyVersions,
})

export const openDraftLimit: RecordLimit = {
  name: 'open_drafts',
  of: 'record',
  record: 'prospect',
  label: 'open drafts',
  remedy: 'Close one of these drafts first.',
  max: limits.openDraftsOfBusiness,
}

export const draftVersionLimit: RecordLimit = {
  name: 'draft_versions',
  of: 'record',
  record: 'draft',
  label: 'versions',
  remedy: 'Close this draft, and write a new draft with its text.',
  max: limits.versionsOfDraft,
}

export const legalBasisLimit: RecordLimit = {
  name: 'legal_bases',
  of: 'record',
  record: 'prospect',
  label: 'legal bases',
  remedy: 'Legal bases cannot be deleted, because they record consent. Use an existing legal basis.',
  max: limits.legalBasesOfBusiness,
}

const remedy = 'Wait until the oldest copy is 24 hours old.'
const ofPerson: LimitWords = {
  name: 'copies_of_person',
  of: 'person',
  label: 'copies of drafts in the last 24 hours',
  remedy,
}
const ofTenant: LimitWords = { ...ofPerson, name: 'copies_of_workspace', of: 'tenant' }
const toRecipient = { name: 'copies_to_recipient' }

/** The caps of copies by the name with which a check states them. The policy of a draft may lower them. */
export const capLimits = { recipient: toRecipient, person: ofPerson, tenant: ofTenant } as const

/** The caps with a use that `GET /limits` shows, with the maximum that no policy can raise. */
export const copyLimits: readonly UsedLimit[] = [
  {
    ...ofPerson,
    read: async ({ store }, owner) => ({
      used: (await countRecentCopies(store.reader, owner)).person,
      max: limits.copiesOfPerson,
    }),
  },
  {
    ...ofTenant,
    read: async ({ store }, owner) => ({
      used: (await countRecentCopies(store.reader, owner)).tenant,
      max: limits.copiesOfTenant,
    }),
  },
]
