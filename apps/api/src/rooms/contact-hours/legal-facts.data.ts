/**
 * Facts of law that contact hours and proposed draft policies rely on. They come from public summaries and not from the gazette, and they are no legal advice. `enteredOn`: the
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
  publicHolidays: {
    fact: 'Twelve public holidays a year. If one is on a Sunday, the Monday after it is a public holiday too.',
    source: 'The generally known list of public holidays; the text of the act was not read.',
    ...entered,
  },
} as const satisfies Record<string, LegalFact>
