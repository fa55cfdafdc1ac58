import { z } from 'zod'
import type { RoomRoutes } from '../../http/room.ts'
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

export const normalizationRoutes: RoomRoutes = async (app) => {
  app.get(
    '/phone-countries',
    {
      schema: {
        operationId: 'listPhoneCountries',
        summary: 'List the countries for phone numbers in local form, by code',
        tags: ['normalization'],
        response: { 200: phoneCountriesSchema },
      },
      config: { permission: null },
    },
    async () => ({ countries: listPhoneCountries() }),
  )
}
