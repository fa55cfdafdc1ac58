/**
 * The request bodies for one sample business, in the order in which a person would send them. The types are defined here instead of imported, so that
 * the generator depends on no room. `fill-with-sample-data.ts` passes each body to its room, whose schema validates it.
 */
export type SamplePlan = {
  create: BusinessBody
  evidence: EvidenceBody[]
  notes: NoteBody[]
  moves: Move[]
  doNotContact?: { reason: string }
  /** index in the list of members (0 to deskSize - 1, modulo the number of members); null for an unassigned prospect */
  assignee: number | null
}

export type IdentifierBody = { value: string; label?: string }
export type PhoneBody = IdentifierBody & { region?: string }

export type AddressBody = {
  street?: string
  suburb?: string
  city?: string
  province?: string
  postalCode?: string
  country?: string
}

export type BusinessBody = {
  name: string
  tradingName?: string
  registrationNumber?: string
  industry?: string
  emails?: IdentifierBody[]
  phones?: PhoneBody[]
  domains?: IdentifierBody[]
  address?: AddressBody
  tags?: string[]
}

export type EvidenceField =
  | 'name'
  | 'tradingName'
  | 'registrationNumber'
  | 'industry'
  | 'email'
  | 'phone'
  | 'domain'
  | 'address.street'
  | 'address.suburb'
  | 'address.city'
  | 'address.province'
  | 'address.postalCode'
  | 'address.country'

export type EvidenceBody = {
  field?: EvidenceField
  value?: string
  observation?: string
  sourceReference?: string
  sourceLabel?: string
  capturedAt: string
  observedAt?: string
  confidence: 'low' | 'medium' | 'high'
  context?: string
  url?: string
}

export type NoteBody = { text: string; sensitive?: boolean }

export type ReachedState = 'new' | 'contacted' | 'qualified' | 'proposal' | 'negotiation' | 'won' | 'lost'
export type Move = { to: ReachedState; reason?: string }
