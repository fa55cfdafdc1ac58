/** Words of other languages, mostly Afrikaans, with the English word by which they are compared. Keys are folded. */
const translations = spellings(`
  attorneys: prok prokureurs
  bakery: bakkerij bakkery
  brothers: broers gebroeders
  butchery: slaghuis
  centre: sentrum
  coffee: koffie
  construction: konstruksie
  engineering: ingenieurs
  group: groep
  investments: beleggings
  mr: mnr
  pharmacy: apteek
  plumbing: loodgieters
  properties: eiendomme
  restaurant: restaurante ristorante
  services: dienste
  technology: tegnologie
  trading: handel
  transport: vervoer
`)

export function isTranslated(word: string): boolean {
  return translations.has(word)
}

/** One word for several spellings of it, so that they meet. Keys are folded. */
const englishSpellings = spellings(`
  associates: assoc associate associated assocs
  attorneys: attorney attys
  automotive: automotives
  brothers: bros
  builders: bldrs
  building: bldg
  cafe: cafeteria
  centre: center centers centres ctr
  cleaning: cleaners
  coffee: coffeeshop
  construction: constr
  consulting: consult consultancy consultants
  corner: cnr
  delicatessen: deli
  department: dept
  development: dev
  developments: devs
  distributors: dist distr
  doctor: dr
  electrical: elec elect
  engineering: eng engineers
  enterprises: ent enterprise
  equipment: equip
  finance: fin
  government: govt
  group: grp
  holdings: hldgs holding
  hospital: hosp
  industries: ind inds industry
  institute: inst
  insurance: ins
  international: int int8l intl
  investments: inv investment
  labor: labour
  laboratory: lab labs
  logistics: log
  maintenance: maint
  management: mgmt mgt
  manufacturing: mfg
  market: mkt
  marketing: mkting
  motors: motor
  mount: mt
  national: natl
  pharmacy: chemist pharm
  plumbing: plumbers
  properties: prop property props
  restaurant: rest restaurants
  services: serv service svc svcs
  solutions: sol solns solution
  st: saint
  systems: sys system
  technology: tech technologies
  trading: trad
  transport: transp
  university: univ
  usa: us
  warehouse: whse
  wholesale: wholesalers
`)

export const nameSpellings: ReadonlyMap<string, string> = new Map([...translations, ...englishSpellings])

/** Several words that are one: longest first. */
export const namePhrases: readonly (readonly [phrase: string, word: string])[] = phraseLines(`
  usa: united states of america, united states, u s a, u s
  uk: united kingdom, u k
  rsa: south africa, suid afrika, s a
  international: int l
  government: gov t
  national: nat l
  association: ass n
`)

/** Said for grammar alone. */
export const fillers: ReadonlySet<string> = new Set('the and of for en die und et y vir by de la le n'.split(' '))

/** Numbers in words. */
export const numberWords: ReadonlyMap<string, number> = new Map(
  `one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12 thirteen 13 fourteen 14
  fifteen 15 sixteen 16 seventeen 17 eighteen 18 nineteen 19 twenty 20 thirty 30 forty 40 fourty 40 fifty 50 sixty 60 seventy 70 eighty 80 ninety 90`
    .split(/\s+/)
    .flatMap((word, at, all) => (at % 2 === 0 ? [[word, Number(all[at + 1])] as const] : [])),
)

export const ordinalWords: ReadonlyMap<string, string> = spellings(`
  1st: first eerste
  2nd: second tweede
  3rd: third derde
  4th: fourth
  5th: fifth
  6th: sixth
  7th: seventh
  8th: eighth
  9th: ninth
  10th: tenth
`)

/**
 * Words that say what a business does or how large it feels, not which one it is. They weigh little wherever they stand; how often
 * a tenant's own names use a word lowers it further.
 */
export const descriptiveWords: ReadonlySet<string> = new Set(
  `academy accountants accounting advertising advisory africa african agencies agency air airlines alarm aluminium and apartments architects art association
  associates attorneys auto automotive aviation b bank banking bakery bar bbq beauty bed beer bistro board body boutique bread breakfast brewery brothers builders
  building burger burgers business butchery cafe cape capital car care caterers catering cellular central centre chartered china church city clean cleaning
  clearing clinic clothing club coaches coffee cold college commercial communications community company computer computers concrete connect construction consulting
  contractors control cool corner corporation couriers courts creative crèche creche data day deals decor delicatessen dental dentist department design designs
  developers development developments diesel digital diner dining direct distribution distributors doctor doors driving dry east eastern eatery eco education electric
  electrical electronics energy engineering enterprises entertainment environmental equipment estate estates europe events exchange express fabrication family farm
  farming farms fashion fast feeds finance financial fire first fish fitness fitted flooring florist flowers food foods foundation franchise freight fresh fruit
  fuel fund funeral furnishers furniture gallery garage garden gardens gas general gift glass global gold grand great green grill grocer grocers group guest
  guesthouse gym hair hardware health healthcare high hire holdings home homes hospital hospitality hotel house housing import imports independent industrial
  industries information inn institute insurance interiors international investments irrigation jewellers joinery kitchen kitchens labor laboratory land laundry
  law legal leisure lifestyle line liquor local lodge logistics lounge machinery mail mall main management manufacturers manufacturing marine market marketing
  marketplace masters meat meats media medical metal metals mining mobile modern mortgage motors mount movers music national natural network networks new north
  northern nursery office oil old online optical optometrist optometrists organization organics paint painters painting panelbeaters paper park partner partners partnership parts petroleum pharmacy
  pharmaceuticals photo photography physio pizza pizzeria place plant plastics plumbing point pool pools power practice premier preschool press primary print printers
  printing private pro produce production productions products professional project projects properties pub public quality radio rail railway real recruitment
  recycling refrigeration removals rental rentals repair repairs resources restaurant retail road roofing room rooms royal rsa safety sales salon sand school scientific sea
  seafood secondary security services shipping shoes shop shops shuttle signs smart snack society software solar solutions south southern spa spares special specialist
  specialists spice sport sports square stainless star state station stationers stationery steak steakhouse steel stone storage store stores street studio
  studios style suites super supermarket supplies suppliers supply support surgery sushi systems tailors takeaway takeaways tavern tax taxi tea technical
  technology telecom telecommunications textiles theatre tiles timber tobacco tool tools tourism tours town trade traders trading training transport
  travel trattoria trust tuckshop tyre tyres uk underwriting union united university upholstery usa valley vehicle ventures veterinary vet video village vision
  water waste way wear web wedding welding wellness west western wholesale wild window windows wine wines wire women wood woodworks works workshop
  world youth zone`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** A line is `word: spelling spelling …`. */
function spellings(lines: string): ReadonlyMap<string, string> {
  return new Map(
    lines.split('\n').flatMap((line) => {
      const [word = '', others = ''] = line.trim().split(': ')
      return others.split(' ').flatMap((other) => (other === '' ? [] : [[other, word] as const]))
    }),
  )
}

/** A line is `word: phrase of words, phrase of words …`. */
function phraseLines(lines: string): (readonly [string, string])[] {
  return lines.split('\n').flatMap((line) => {
    const [word = '', phrases = ''] = line.trim().split(': ')
    return phrases.split(', ').flatMap((phrase) => (phrase === '' ? [] : [[phrase, word] as const]))
  })
}
