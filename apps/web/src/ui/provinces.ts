/** The provinces by the codes that the API takes. */
export const provinces = [
  { code: 'EC', name: 'Eastern Cape', afrikaans: 'Oos-Kaap' },
  { code: 'FS', name: 'Free State', afrikaans: 'Vrystaat' },
  { code: 'GP', name: 'Gauteng', afrikaans: 'Gauteng' },
  { code: 'KZN', name: 'KwaZulu-Natal', afrikaans: 'KwaZulu-Natal' },
  { code: 'LP', name: 'Limpopo', afrikaans: 'Limpopo' },
  { code: 'MP', name: 'Mpumalanga', afrikaans: 'Mpumalanga' },
  { code: 'NC', name: 'Northern Cape', afrikaans: 'Noord-Kaap' },
  { code: 'NW', name: 'North West', afrikaans: 'Noordwes' },
  { code: 'WC', name: 'Western Cape', afrikaans: 'Wes-Kaap' },
] as const

const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

/** The code of what is written, a code or a name in either language, with dashes, spaces and capitals as they come. */
export function provinceCodeOf(written: string): string | undefined {
  const letters = lettersOf(written)
  return provinces.find(({ code, name, afrikaans }) =>
    [code, name, afrikaans].some((one) => lettersOf(one) === letters),
  )?.code
}

export function provinceName(code: string): string {
  return provinces.find((province) => province.code === code)?.name ?? code
}
