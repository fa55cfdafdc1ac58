/**
 * Facts of law that contact hours, legal bases and proposed draft policies rely on. They come from public summaries and not from the gazette, and they are no legal advice. `enteredOn`: the
 * day on which the fact was entered here. `reviewBy`: the day until which somebody must compare it with the law.
 */
export type LegalFact = {
  fact: string
  source: string
  enteredOn: string
  reviewBy: string
  label: 'as your lawyer advises'
}

const entered = { enteredOn: '2026-11-30', reviewBy: '2027-11-30', label: 'as your lawyer advises' } as const

export const southAfrica = {
  contactHours: {
    fact: 'Direct marketing: not on Sundays and public holidays, on Saturdays from 9:00 to 13:00, on other days from 8:00 to 20:00.',
    source: 'Public summaries of the Consumer Protection Act by law firms and newspapers; the gazette was not read.',
    ...entered,
  },
  registry: {
    fact: 'Direct marketers register each year with the opt-out registry and compare their data with it every month.',
    source: 'Public summaries of the amended regulations of 15 April 2026; the gazette was not read.',
    ...entered,
  },
  preEmptiveBlock: {
    fact: 'No direct marketing to a person with a block in the opt-out registry. A penalty can reach R1 million or 10 % of the turnover.',
    source: 'Public summaries of the amended regulations of 15 April 2026; the gazette was not read.',
    ...entered,
  },
  consent: {
    fact: 'Marketing by electronic means needs a consent that is substantially similar to Form 4. It may be asked for once, and silence is no consent.',
    source: 'Public summaries of the POPIA regulations of April 2025 and of section 69; the gazette was not read.',
    ...entered,
  },
  consentByTelephone: {
    fact: 'A consent by telephone is recorded, and the recording is produced on request.',
    source: 'Public summaries of the POPIA regulations of April 2025; the gazette was not read.',
    ...entered,
  },
  existingCustomer: {
    fact: 'A customer may be told about similar products of the same seller, with a way to object each time.',
    source: 'Public summaries of section 69 of POPIA; the text of the act was not read.',
    ...entered,
  },
  companies: {
    fact: 'POPIA protects companies as well as people.',
    source: 'Public summaries of POPIA; the text of the act was not read.',
    ...entered,
  },
  subjectRequests: {
    fact: 'A request for access, correction, objection or erasure is answered within 30 days.',
    source: 'Public summaries of the POPIA regulations of April 2025; the gazette was not read.',
    ...entered,
  },
  publicHolidays: {
    fact: 'Twelve public holidays a year. If one is on a Sunday, the Monday after it is a public holiday too.',
    source: 'The generally known list of public holidays; the text of the act was not read.',
    ...entered,
  },
} as const satisfies Record<string, LegalFact>
