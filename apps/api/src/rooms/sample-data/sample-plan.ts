/**
 * The parts of one sample business: request bodies only, in the order in which a person would send them. The types are written out here,
 * not imported, so that this folder depends on no room: the executor passes each body to its room, and that room's own schema validates it.
 */
export type SamplePlan = {
  create: BusinessBody
  evidence: EvidenceBody[]
  notes: NoteBody[]
  moves: Move[]
  doNotContact?: { reason: string }
  /** Index in the executor's list of members (0 to deskSize - 1, modulo the number of members); null: nobody. */
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
