/** Provinces with the codes of the API. */
export const provinces = [
  { code: 'EC', name: 'Eastern Cape', also: ['Oos-Kaap', 'Mpuma-Koloni'] },
  { code: 'FS', name: 'Free State', also: ['Vrystaat', 'Foreistata', 'Orange Free State'] },
  { code: 'GP', name: 'Gauteng', also: [] },
  { code: 'KZN', name: 'KwaZulu-Natal', also: ['Natal'] },
  { code: 'LP', name: 'Limpopo', also: ['Northern Province'] },
  { code: 'MP', name: 'Mpumalanga', also: ['Eastern Transvaal'] },
  { code: 'NC', name: 'Northern Cape', also: ['Noord-Kaap'] },
  { code: 'NW', name: 'North West', also: ['Noordwes', 'Bokone Bophirima'] },
  { code: 'WC', name: 'Western Cape', also: ['Wes-Kaap', 'Ntshona Koloni'] },
] as const

const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

/** Code of a province given as a code or as a name that the API knows, ignoring dashes, spaces and case. */
export function provinceCodeOf(written: string): string | undefined {
  const letters = [lettersOf(written), lettersOf(written.replace(/ province$/i, ''))]
  return provinces.find(({ code, name, also }) => [code, name, ...also].some((one) => letters.includes(lettersOf(one))))
    ?.code
}

export function provinceName(code: string): string {
  return provinces.find((province) => province.code === code)?.name ?? code
}
