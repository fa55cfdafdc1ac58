import { factsOfSouthAfrica } from '../../contact-hours/contact-hours.ts'
import { type BasisKind, type Channel, channels } from '../drafts.table.ts'
import type { PolicyContent } from './policies.schema.ts'

const NOT_LEGAL_ADVICE = 'Not legal advice'

type Proposal = PolicyContent & { jurisdiction: string; channel: Channel; label: string; notes: string[] }

const caps = { recipient: 2, person: 50, tenant: 200 }

type Law = { bases: BasisKind[]; optOut: string; notes: string[]; sources: string[]; reviewBy: string | null }

const { publicHolidays: _holidays, subjectRequests: _requests, ...rulesOfContact } = factsOfSouthAfrica
const rules = Object.values(rulesOfContact)
const [firstReview = null] = rules.map(({ reviewBy }) => reviewBy).toSorted()

const za: Law = {
  bases: ['consent', 'existing_customer', 'consent_asked_once'],
  optOut: 'To receive no more messages from us, reply with "Stop".',
  notes: [`Use each rule as your lawyer advises, and compare the rules with the law by ${firstReview}.`],
  sources: rules.map(
    ({ fact, source, enteredOn, label }) => `${fact} Source: ${source} Entered on ${enteredOn}, ${label}.`,
  ),
  reviewBy: firstReview,
}
const eu: Law = {
  bases: ['consent', 'existing_customer', 'asked_by_them', 'contract', 'legitimate_interest'],
  optOut: 'You may object to this use of your data at any time: reply, and we stop.',
  notes: [
    'GDPR Article 6: a legal basis; Article 14: say where the data came from; Article 21: the right to object.',
    'The rule of the member state on electronic mail applies as well: many require consent.',
  ],
  sources: [],
  reviewBy: null,
}

const proposalOf = (jurisdiction: string, channel: Channel): Proposal => {
  const { bases, optOut, notes, sources, reviewBy } = jurisdiction === 'za' ? za : eu
  return {
    jurisdiction,
    channel,
    label: NOT_LEGAL_ADVICE,
    notes,
    legalBases: bases,
    basisForm: 'known',
    requiredFields: channel === 'call_script' ? ['sender.name'] : ['sender.name', 'sender.optOut'],
    freshnessDays: { other: 365, domain: 180 },
    acknowledgeable: ['low_confidence'],
    caps,
    // Without a calendar nothing is known, and a refusal would end all copies. Letters have no hours.
    contactHours: jurisdiction === 'za' && channel !== 'letter' ? 'refuse' : 'warn',
    // Other jurisdictions may have registries too; whether their rules name an interval is for the workspace to enter.
    registryDays: jurisdiction === 'za' ? 30 : null,
    sources,
    reviewBy,
    optOutText: optOut,
  }
}

/** Contents that a person may propose as a policy after reading them. They are in force nowhere until another person approves one. */
export const policyProposals: readonly Proposal[] = ['za', 'eu'].flatMap((jurisdiction) =>
  channels.map((channel) => proposalOf(jurisdiction, channel)),
)
