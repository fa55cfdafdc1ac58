/** The shapes that the API answers with, as the web app and any outsider read them. */

export type Page<T> = {
  items: T[]
  page: {
    limit: number
    returned: number
    nextCursor: string | null
    /** null: not known, because the set is too large to count cheaply. Never read it as zero. */
    total: { value: number; counts: 'matching_set' | 'page'; asOf: string } | null
  }
}

export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: string
  requestId: string
  errors?: ProblemError[]
  /** On 412 only: the version the record has now. */
  currentVersion?: number
}
export type ProblemError = { path: string; code: string; message: string }

export type PersonRef = { id: string; name: string }
export type ActorRef = { kind: 'user'; id: string; name: string } | { kind: 'system'; name: string }

export type Role = 'administrator' | 'manager' | 'operator' | 'viewer'
export type Session = {
  user: { id: string; email: string; name: string }
  tenant: { id: string; name: string; timeZone: string }
  tenants: { id: string; name: string; role: Role }[]
  role: Role
  permissions: string[]
  csrfToken: string
  assurance: 'password'
  idleExpiresAt: string
  expiresAt: string
}
export type RoleMatrix = { roles: { role: Role; permissions: string[] }[] }

export type PipelineState =
  | 'new'
  | 'contacted'
  | 'qualified'
  | 'proposal'
  | 'negotiation'
  | 'won'
  | 'lost'
  | 'paused'
  | 'disqualified'

export type Identifier = {
  value: string
  label: string | null
  /** Phones only: the region the operator gave as context. */
  region?: string | null
  normalized: string | null
  uncertainty: string | null
}
export type Address = {
  street: string | null
  suburb: string | null
  city: string | null
  province: string | null
  postalCode: string | null
  country: string | null
}
export type Business = {
  id: string
  version: number
  createdAt: string
  updatedAt: string
  createdBy: ActorRef
  name: string
  tradingName: string | null
  registrationNumber: string | null
  industry: string | null
  emails: Identifier[]
  phones: Identifier[]
  domains: Identifier[]
  address: Address
  provinceCode: string | null
  tags: string[]
  assignee: PersonRef | null
  status: 'active' | 'merged' | 'inactive'
  mergedInto: string | null
  pipelineState: PipelineState
  stateBeforePause: PipelineState | null
  doNotContact: null | { at: string; by: ActorRef; reason: string }
  normalizationVersion: string
}
export type BusinessSummary = {
  id: string
  version: number
  name: string
  tradingName: string | null
  industry: string | null
  pipelineState: PipelineState
  doNotContact: boolean
  status: 'active' | 'merged' | 'inactive'
  primaryEmail: string | null
  primaryPhone: string | null
  primaryDomain: string | null
  city: string | null
  province: string | null
  provinceCode: string | null
  tags: string[]
  assignee: PersonRef | null
  hasEvidence: boolean
  createdAt: string
  updatedAt: string
}
export type BusinessInput = {
  name: string
  tradingName?: string | null
  registrationNumber?: string | null
  industry?: string | null
  emails?: { value: string; label?: string | null }[]
  phones?: { value: string; label?: string | null; region?: string | null }[]
  domains?: { value: string; label?: string | null }[]
  address?: Partial<Address>
  tags?: string[]
  assigneeId?: string | null
}
export type PossibleDuplicate = {
  id: string
  name: string
  pipelineState: PipelineState
  doNotContact: boolean
  matches: { kind: 'email' | 'phone' | 'domain'; value: string }[]
}
export type TagCount = { tag: string; count: number }

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
export type Confidence = 'low' | 'medium' | 'high'
export type Evidence = {
  id: string
  businessId: string
  field: EvidenceField | null
  value: string | null
  observation: string | null
  sourceReference: string | null
  sourceLabel: string | null
  capturedAt: string
  observedAt: string | null
  confidence: Confidence
  context: string | null
  url: string | null
  supersedesId: string | null
  supersededById: string | null
  createdAt: string
  createdBy: ActorRef
}
export type Fact = {
  field: EvidenceField
  value: string
  standing: 'supported' | 'contradicted' | 'unsupported'
  supporting: number
  contradicting: number
  /** The newest five; superseded observations are left out. */
  evidence: {
    id: string
    value: string | null
    confidence: Confidence
    agrees: boolean
    observedAt: string | null
    capturedAt: string
    sourceReference: string | null
    sourceLabel: string | null
  }[]
}

export type Note = {
  id: string
  businessId: string
  /** null when the reader may not see sensitive text. */
  text: string | null
  sensitive: boolean
  redacted: boolean
  author: ActorRef
  createdAt: string
}

export type PipelineStateKind = 'open' | 'closed' | 'set_aside'
export type Pipeline = {
  version: number
  states: { state: PipelineState; kind: PipelineStateKind; enabled: boolean; count: number }[]
  transitions: { from: PipelineState; to: PipelineState; reasonRequired: boolean }[]
  configuration: { pausedEnabled: boolean; disqualifiedEnabled: boolean }
  asOf: string
}
export type Transition = {
  id: string
  businessId: string
  from: PipelineState
  to: PipelineState
  reason: string | null
  at: string
  actor: ActorRef
  correlationId: string
  idempotencyKey: string | null
}
export type MoveResult = { business: Business; transition: Transition | null }

export type AuditEvent = {
  id: string
  sequence: number
  at: string
  actor: ActorRef
  action: string
  subject: { type: string; id: string }
  businessId: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
  correlationId: string
  hash: string
  previousHash: string
}
export type AuditVerification = {
  status: 'intact' | 'broken' | 'partial'
  checkedEvents: number
  fromSequence: number
  toSequence: number
  nextAfter: number | null
  firstBroken: null | { sequence: number; reason: string }
  checkpoints: { checked: number; latest: null | { sequence: number; at: string } }
  verifiedAt: string
}

export type CapabilityStatus = 'operational' | 'partial' | 'not_built' | 'disabled'
export type Capability = { phase: number; area: string; status: CapabilityStatus; reason: string }
