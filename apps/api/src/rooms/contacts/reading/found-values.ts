import type { ContactKind, Method, QuarantineRule, Syntax } from '../contacts.table.ts'

/* Types of the result of reading one page. Loads no schema, because worker threads read pages. */

/** Reasons for which a text that resembles a value is not one. Such texts are counted and never stored. */
export const excludedRules = [
  'script',
  'style',
  'template',
  'comment',
  'attribute',
  'file_name',
  'package_name',
  'handle',
  'url_user',
  'placeholder',
  'template_leftover',
  'reserved_domain',
  'tracking',
  'malformed_link',
  'unclear',
  'other_number',
  'fax',
  'json_ld_unreadable',
] as const
export type ExcludedRule = (typeof excludedRules)[number]

/** Means by which a site protects a value that cannot be decoded from the markup. A person opens the page to see it. */
export const protectedRules = ['cf_email', 'script_made', 'picture'] as const
export type ProtectedRule = (typeof protectedRules)[number]

export const confidenceLevels = ['low', 'medium', 'high'] as const
export type ConfidenceLevel = (typeof confidenceLevels)[number]

export const confidenceReasons = [
  'own_domain',
  'linked',
  'structured_data',
  'on_contact_page',
  'free_mail',
  'no_country',
  'workspace_country',
  'unusual_syntax',
  'quarantined',
] as const
export type ConfidenceReason = (typeof confidenceReasons)[number]
export type Confidence = { level: ConfidenceLevel; reasons: readonly ConfidenceReason[] }

export type FoundValue = {
  kind: ContactKind
  /** as the page shows it */
  value: string
  normalized: string | null
  uncertainty: string | null
  /** country with which a number in local form was read: that of the workspace */
  region: string | null
  /** null if the value may be reviewed */
  rule: QuarantineRule | null
  method: Method
  /** the part of the page and the heading above; contact values in it are masked */
  location: string
  /** every other contact value in it is masked */
  context: string
  syntax: Syntax
  isRole: boolean
  isFreeMail: boolean
  confidence: Confidence
}

/** The part of a page that is read. `out`: the page is neither a contact page nor an about page. */
export type PageScope = 'page' | 'section' | 'out'

export type ContactOrder = {
  bytes: Uint8Array
  contentType: string | null
  format: 'html' | 'text'
  url: string
  role: 'start' | 'contact' | 'about' | 'other'
  /** domains of the record and of its official site */
  ownDomains: readonly string[]
  /** names of the record */
  names: readonly string[]
  /** that of the workspace, for numbers in local form */
  country: string
  maxValues: number
}

export type ReadContacts = {
  scope: PageScope
  /** contact values in it are masked */
  title: string | null
  values: readonly FoundValue[]
  excluded: Readonly<Partial<Record<ExcludedRule, number>>>
  protected: Readonly<Partial<Record<ProtectedRule, number>>>
  /** some of the excluded texts, without contact values */
  examples: Readonly<Partial<Record<ExcludedRule, readonly string[]>>>
  /** false if the page reached a parsing limit, so that the rest was not read */
  isWhole: boolean
}
