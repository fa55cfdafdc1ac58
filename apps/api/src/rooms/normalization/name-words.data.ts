/** Words of other languages, mostly Afrikaans, by the English word with which they are compared. They are in lower case without accents. */
const translations = spellings(`
  attorneys: prok prokureurs
  bakery: bakkerij bakkery
  brothers: broers gebroeders
  butchery: slaghuis
  centre: sentrum
  church: kerk
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
  shop: winkel
  technology: tegnologie
  trading: handel
  transport: vervoer
`)

export function isTranslated(word: string): boolean {
  return translations.has(word)
}

/** Spellings by the word with which they are compared. They are in lower case without accents. */
const englishSpellings = spellings(`
  associates: assoc associate associated assocs
  association: assn
  attorneys: attorney attys
  automotive: automotives
  avenue: ave
  barbecue: barbeque bbq
  boulevard: blvd
  brothers: bros
  builders: bldrs
  building: bldg
  cafe: cafeteria
  captain: capt
  centre: center centers centres ctr
  cleaning: cleaners
  coffee: coffeeshop
  community: comm
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
  elementary: elem
  engineering: eng engineers
  enterprises: ent enterprise
  equipment: equip
  finance: fin
  fort: ft
  government: govt
  grill: grille
  group: grp
  highway: hwy
  holdings: hldgs holding
  hospital: hosp
  industries: ind inds industry
  institute: inst
  insurance: ins
  international: int int8l intl
  investments: inv investment
  junior: jr
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
  professor: prof
  properties: prop property props
  restaurant: rest restaurants
  reverend: rev
  senior: sr
  services: serv service svc svcs
  shop: shoppe
  solutions: sol solns solution
  st: saint
  systems: sys system
  technology: tech technologies
  theatre: theater
  trading: trad
  transport: transp
  university: univ
  usa: us
  warehouse: whse
  wholesale: wholesalers
`)

export const nameSpellings: ReadonlyMap<string, string> = new Map([...translations, ...englishSpellings])

/** Phrases by the word that they equal. The longest phrases come first. */
export const namePhrases: readonly (readonly [phrase: string, word: string])[] = phraseLines(`
  usa: united states of america, united states, u s a, u s
  uk: united kingdom, u k
  rsa: south africa, suid afrika, s a
  international: int l
  government: gov t
  national: nat l
  association: ass n
`)

/** Words that have only a grammatical function and are ignored. */
export const fillers: ReadonlySet<string> = new Set('the and of for en die und et y vir by de la le n'.split(' '))

/** Numbers by their word. */
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
  11th: eleventh
  12th: twelfth
  13th: thirteenth
  14th: fourteenth
  15th: fifteenth
  16th: sixteenth
  17th: seventeenth
  18th: eighteenth
  19th: nineteenth
  20th: twentieth
`)

/**
 * Words that describe a business or its size and therefore do not identify it. They have a low weight at any position, which their frequency in a
 * tenant's names lowers further.
 */
export const descriptiveWords: ReadonlySet<string> = new Set(
  `academics academy accommodation accountants accounting advertising advisory africa african afrikaans afterschool agencies agency air airlines alarm
  aluminium american and apartments architects argentinian art artisan asian associates association attorneys authentic auto automotive aviation b
  backpackers bagel bagels bakehouse bakery bakeshop ballet bank banking banquet bar barbecue barbershop bbq beauty bed beer beverage bicycle bike
  bikes biltong bistro board body boerdery bottlestore boutique boutiques brasserie brazilian bread breakfast brewery brewhouse brewing brewpub bridal
  british brothers buffet builders building burger burgers burrito business butchers butchery cafe cantina cape capital car caravans care caribbean
  cars carwash caterers catering catery cellular central centre chai chalets charter chartered chemicals chicken child childcare childhood children
  childrens china chinese chips chophouse christian church city clean cleaning clearing clinic clinics clothing club cnc coaches coffee cold college
  collision commercial communications community company computer computers concrete confectionery connect construction consulting contractors control
  cookhouse cooking cool corner corporation cottage cottages courier couriers courts cream creamery creative creche creperie crèche cuban cuisine
  curry custard dagsorg data day daycare deals decor delicatessen dental dentist department design designs dessert desserts detailing developers
  development developments dialysis dienste diesel digital diner dining direct distribution distributors doctor donut donuts doors drankwinkel
  drilling driving dry dumpling dumplings early east eastern eatery eats eco education eiendom electric electrical electronics elementary elevators
  energy engineering engines english enterprises entertainment environmental equipment espresso estate estates ethiopian europe events excavation
  exchange express exterminators fabrication falafel family farm farming farms fashion fast feeds fencing filters finance financial fire first fish
  fitment fitness fitted flooring florist flowers food foods foundation franchise freight freightliners french fresh fries frozen fruit fuel fund
  funeral funerals furnishers furniture fusion gallery garage garden gardens gas gelato general german gift glass glazing global gold gourmet grand
  great greek green grill grocer grocers groothandel group guest guesthouse guesthouses guttering gym gyro gyros haarsalon hair halal handelaars
  handyman hardware hauling health healthcare heating high hire holdings home homes hospice hospital hospitality hotel house housing hvac ice icecream
  import imports independent indian industrial industries infant information inn inspection institute insulation insurance interiors international
  investments irish irrigation italian jamaican janitorial japanese jewellers joinery juice kebab kennels kids kindergarten kitchen kitchens
  kleuterskool korean kosher kwekery labor laboratory land landscapers landscaping laundromat laundry law lawn learning legal leisure lifestyle line
  liquor local locksmith lodge lodges logistics lounge machinery mail main mall management manufacturers manufacturing marine market marketing
  marketplace masonry masters meat meats mechanical mechanics media medical mediterranean metal metals meubels mexican mining mobile modern montessori
  moroccan mortgage motors mount movers moving mufflers music nails national natural network networks new noodle noodles north northern notary
  nurseries nursery nuts office oil old online ontwikkeling optical optometrist optometrists organics organization orthodontics osteria oyster padstal
  paint painters painting pancake pancakes panelbeaters panelbeating paper park partner partners partnership parts pasta pastry patisserie peri
  peruvian pest pet petroleum pets pharmaceuticals pharmacy photo photography physio physiotherapy pies pita pizza pizzeria place plant plastics
  plumber plumbing podiatry point polishing pool pools portuguese poultry powder power practice premier preprimary preschool press primary print
  printers printing private pro produce production productions products professional project projects properties provisions pub public quality radio
  rail railway ramen real realtor realtors realty recruitment recycling refrigeration rehabilitation removals rental rentals repair repairs resources
  restaurant restoration retail rice road roadhouse roasters roastery roofers roofing room rooms rotisserie royal rsa safety salad salads sales salon
  saloon salvage sand sandwich sandwiches sausage scaffolding school scientific sea seafood secondary security septic services sewing shakes shipping
  shoes shop shops shuttle siding signs skool slaghuis smart smoke smokehouse snack snacks society software solar solutions soup soups south southern
  spa spanish spares spaza special specialist specialists spice sport sports spraying square stainless star state station stationers stationery steak
  steakhouse steel steelworks stone storage store stores street studio studios style sub subs suites super supermarket suppliers supplies supply
  support surgery sushi swimming systems taco tacos tailoring tailors takeaway takeaways tap tapas taproom taqueria tattoo tavern tax taxi tea
  teahouse technical technology telecom telecommunications teppanyaki teriyaki textiles thai theatre therapy tiles timber tobacco toddler toddlers
  tool tools tortilla tourism tours tow towing town trade traders trading training transmissions transport trattoria travel tree trees truck trucking
  trucks trust tuckshop turkish tutoring tyre tyres uk underwriting union united university upholsterers upholstery usa valley vegan vegetarian
  vehicle ventures versekering vervoer vet veterinary vets video vietnamese village vision vleis vleismark waste water way wear web wedding welding
  wellness werke west western wholesale wild window windows wine wines wing wings wire wok women wood woodworks works workshop world yogurt youth zone`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Parses lines of the form `word: spelling spelling …` into a map from spelling to word. */
function spellings(lines: string): ReadonlyMap<string, string> {
  return new Map(
    lines.split('\n').flatMap((line) => {
      const [word = '', others = ''] = line.trim().split(': ')
      return others.split(' ').flatMap((other) => (other === '' ? [] : [[other, word] as const]))
    }),
  )
}

/** Parses lines of the form `word: phrase of words, phrase of words …` into pairs of phrase and word. */
function phraseLines(lines: string): (readonly [string, string])[] {
  return lines.split('\n').flatMap((line) => {
    const [word = '', phrases = ''] = line.trim().split(': ')
    return phrases.split(', ').flatMap((phrase) => (phrase === '' ? [] : [[phrase, word] as const]))
  })
}
