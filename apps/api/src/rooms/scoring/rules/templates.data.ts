import type { Content } from './content.ts'

export type Template = { key: string; title: string; description: string; content: Content }

/**
 * Settings that all templates of rule sets share. A range that spans several bands gets the lowest band, because most records have evidence for only
 * some of the rules. Every fact needs evidence: what a record states without any is undecided (specification, Phase 10 §2).
 */
const common = { requiredEvidence: 'low', straddling: 'lowest', rounding: 'half_up', suppression: 'first' } as const
const bands = [
  { id: 'A', name: 'A', from: 60 },
  { id: 'B', name: 'B', from: 35 },
  { id: 'C', name: 'C', from: 0 },
]

export const templates: readonly Template[] = [
  {
    key: 'reachable',
    title: 'Reachable businesses',
    description: 'Prefers records with current contact details that evidence supports, and a clear identity.',
    content: {
      ...common,
      tieBreak: 'newest_evidence',
      groups: [
        {
          id: 'contact',
          name: 'Contact details',
          min: 0,
          max: 50,
          rules: [
            {
              id: 'phone',
              signal: 'record.phones',
              op: 'at_least',
              value: 1,
              points: 20,
              freshDays: 180,
              expireDays: 540,
            },
            {
              id: 'email',
              signal: 'record.emails',
              op: 'at_least',
              value: 1,
              points: 15,
              freshDays: 180,
              expireDays: 540,
            },
            { id: 'own-mail', signal: 'record.mail_domain', op: 'is', value: 'own', points: 10 },
            { id: 'website', signal: 'record.domains', op: 'at_least', value: 1, points: 10 },
          ],
        },
        {
          id: 'identity',
          name: 'Identity',
          min: -20,
          max: 30,
          rules: [
            {
              id: 'registered',
              signal: 'record.registration_number',
              op: 'is_true',
              points: 15,
              minConfidence: 'medium',
            },
            { id: 'name-supported', signal: 'evidence.name.standing', op: 'is', value: 'supported', points: 15 },
            { id: 'contradicted', signal: 'record.contradictions', op: 'at_least', value: 1, points: -20 },
          ],
        },
        {
          id: 'activity',
          name: 'Activity',
          min: -20,
          max: 20,
          rules: [
            {
              id: 'talked',
              signal: 'interactions.last_outcome',
              op: 'one_of',
              value: ['connected', 'meeting_booked', 'meeting_held', 'qualified'],
              points: 20,
              freshDays: 90,
            },
            { id: 'quiet', signal: 'interactions.in_365_days', op: 'at_most', value: 0, points: -5 },
          ],
        },
      ],
      gates: [
        { id: 'open', signal: 'record.state', op: 'none_of', value: ['won', 'lost', 'disqualified'], kind: 'requires' },
        { id: 'duplicates', signal: 'record.strong_duplicates', op: 'at_least', value: 1, kind: 'excludes' },
      ],
      bands,
    },
  },
  {
    key: 'complete',
    title: 'Complete records',
    description: 'Prefers records whose facts are stated and supported, whatever happened with them so far.',
    content: {
      ...common,
      tieBreak: 'completeness',
      groups: [
        {
          id: 'facts',
          name: 'Facts',
          min: 0,
          max: 60,
          rules: [
            { id: 'province', signal: 'evidence.province.standing', op: 'is', value: 'supported', points: 15 },
            { id: 'industry', signal: 'evidence.industry.standing', op: 'is', value: 'supported', points: 15 },
            { id: 'phone', signal: 'evidence.phone.standing', op: 'is', value: 'supported', points: 15 },
            { id: 'email', signal: 'evidence.email.standing', op: 'is', value: 'supported', points: 15 },
          ],
        },
        {
          id: 'sources',
          name: 'Sources',
          min: 0,
          max: 40,
          rules: [
            { id: 'two-sources', signal: 'evidence.name.sources', op: 'at_least', value: 2, points: 20 },
            { id: 'recent', signal: 'evidence.name.age_days', op: 'at_most', value: 365, points: 20 },
          ],
        },
      ],
      gates: [],
      bands,
    },
  },
  {
    key: 'empty',
    title: 'Empty',
    description: 'One group, two bands and no rules.',
    content: {
      ...common,
      tieBreak: 'completeness',
      groups: [{ id: 'fit', name: 'Fit', min: 0, max: 100, rules: [] }],
      gates: [],
      bands: [
        { id: 'A', name: 'A', from: 50 },
        { id: 'B', name: 'B', from: 0 },
      ],
    },
  },
]
