/** The bounds of drafts, in one place; `docs/limits.md` shows them. */
export const limits = {
  openDraftsOfBusiness: 20,
  versionsOfDraft: 100,
  citations: 40,
  acknowledgements: 40,
  titleLength: 200,
  subjectLength: 200,
  textLength: 5_000,
  smsLength: 480,
  recipientLength: 320,
  quoteLength: 1_000,
  reasonLength: 1_000,
  documentReferenceLength: 200,
  templatesOfTenant: 200,
  templateNameLength: 100,
  legalBasesOfBusiness: 200,
  legalBasisMonths: 24,
  policyVersions: 1_000,
  policyDays: 732,
  optOutLength: 500,
  freshnessDays: 1_825,
  copiesToRecipient: 2,
  recipientDays: 30,
  copiesOfPerson: 50,
  copiesOfTenant: 200,
  copiesOfAllTenants: 2_000,
  requestDays: 14,
  approvalDays: 7,
  longestApprovalDays: 30,
  /** shown with a draft, newest first */
  historyShown: 50,
  newEvidenceShown: 20,
  /** newest standing claims about one field that a check reads */
  claimsOfField: 1_000,
} as const

export const DAY_MS = 86_400_000

/** Returns the time this number of days after another. */
export function daysAfter(at: string, days: number): string {
  return new Date(Date.parse(at) + days * DAY_MS).toISOString()
}
