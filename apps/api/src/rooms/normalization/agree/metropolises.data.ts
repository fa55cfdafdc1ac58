/** Towns by the metropolis in which they lie. The metropolis says less than the town and does not contradict it. Names are without spaces. */
export const metropolisOf: ReadonlyMap<string, string> = new Map(
  `
capetown: bellville goodwood parow durbanville brackenfell kuilsriver kraaifontein milnerton somersetwest strand gordonsbay fishhoek simonstown houtbay
  khayelitsha mitchellsplain athlone wynberg claremont seapoint
johannesburg: sandton randburg roodepoort soweto midrand lenasia alexandra rosebank braamfontein
pretoria: centurion akasia soshanguve mamelodi atteridgeville hatfield arcadia
ekurhuleni: germiston kemptonpark benoni boksburg brakpan springs nigel alberton edenvale tembisa
durban: umhlanga pinetown westville chatsworth phoenix amanzimtoti queensburgh hillcrest tongaat kwamashu
gqeberha: kariega despatch
bloemfontein: botshabelo thabanchu
`
    .trim()
    .split(/\n(?=\S)/)
    .flatMap((line) => {
      const [metropolis = '', towns = ''] = line.split(': ')
      return towns.split(/\s+/).map((town) => [town, metropolis] as const)
    }),
)
