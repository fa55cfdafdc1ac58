import { z } from 'zod'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { listPhoneCountries } from '../../lib/phone-countries.ts'

const phoneCountriesSchema = z
  .object({
    countries: z.array(
      z.object({
        code: z.string().describe('ISO 3166 alpha-2, as a `region` names it'),
        callingCode: z.string().describe('Calling code of its numbers, without the plus'),
      }),
    ),
  })
  .meta({ id: 'PhoneCountries' })

export const normalizationRoutes: RoomRoutes = async (app, { store }) => {
  const route = createRoutes(app, { store, tag: 'normalization' })

  route.read({
    url: '/phone-countries',
    id: 'listPhoneCountries',
    summary: 'List the countries for phone numbers in local form, by code',
    permission: null,
    response: phoneCountriesSchema,
    answer: () => ({ countries: listPhoneCountries() }),
  })
}
