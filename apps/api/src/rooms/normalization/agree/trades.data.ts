/**
 * Names of one trade in English and Afrikaans, in lower case, without accents and spaces. The first word of a line is the one with which they are
 * compared. Only names that people use for each other are in one line.
 */
export const trades: ReadonlyMap<string, string> = new Map(
  `
accommodation: akkommodasie verblyf lodging
accountant: accounting accountancy rekenmeester rekenkundige
agriculture: agricultural landbou
attorney: lawyer prokureur lawfirm prokureursfirma regsfirma
automotive: motorbedryf motorindustry motornywerheid
bakery: baker bakkery bakker bakhuis
bank: banking bankwese
bookkeeper: bookkeeping boekhouer boekhouding
bottlestore: liquorstore liquorshop drankwinkel liquor offsales
builder: building construction konstruksie bou bouer bouwerk boukontrakteur buildingcontractor
butchery: butcher slaghuis slagter slagtery
cafe: kafee coffeeshop coffeehouse koffiewinkel koffiehuis
cardealer: cardealership motordealer motorhandelaar motorhandel motordealership autodealer
catering: caterer spyseniering spysenier
church: kerk
cleaning: cleaner skoonmaak skoonmaakdiens
daycare: daycarecentre daycarecenter dagsorg dagsorgsentrum creche
dentist: dentistry dental tandarts tandheelkunde
doctor: generalpractitioner gp dokter huisarts medicalpractitioner
education: onderwys opvoeding
electrician: electrical elektrisien elektries electricalcontractor elektriese
engineering: engineer ingenieur ingenieurswese
estateagent: estateagency realestateagent realestateagency realestate eiendomsagent eiendomsagentskap propertyagent realtor
farm: farming farmer plaas boerdery boer
fillingstation: petrolstation servicestation gasstation vulstasie petrolgarage
finance: financial finansies finansiele
fishing: vissery visserybedryf
florist: flowershop bloemis bloemiste blommewinkel
forestry: bosbou
funeralparlour: funeralhome undertaker begrafnisonderneming begrafnisondernemer funeral
furniture: furnitureshop furniturestore meubel meubelwinkel
guesthouse: gastehuis
gym: gymnasium gimnasium fitnesscentre fitnesscenter
hairdresser: hairdressing hairsalon haarsalon haarkapper haarkappery
hardware: hardwarestore hardwareshop hardeware hardewarewinkel ysterware ysterwarewinkel
health: healthcare gesondheid gesondheidsorg
hospitality: gasvryheid
hotel: hotelle
insurance: versekering assurance
it: informationtechnology inligtingstegnologie
legal: regs regsdienste legalservice
manufacturing: manufacturer vervaardiging vervaardiger
mechanic: werktuigkundige motorwerktuigkundige motormechanic carmechanic automechanic
mining: mynbou mynwese
nursery: kwekery plantnursery
optometrist: optician optometry oogkundige
panelbeater: panelbeating paneelklopper
pharmacy: chemist apteek apteke apteker pharmacist drugstore
plumber: plumbing loodgieter loodgietery
preschool: kleuterskool nurseryschool kindergarten
printer: printing drukkery drukker
restaurant: restaurante eatery eetplek eethuis ristorante
retail: retailer kleinhandel kleinhandelaar
school: skool skole
security: sekuriteit
supermarket: supermark supermarkte
takeaway: takeout wegneemete
tourism: toerisme
transport: transportation vervoer
vet: veterinarian veterinary veterinaryclinic veearts dierearts veeartsenykunde animalclinic
wholesale: wholesaler groothandel groothandelaar
winery: winefarm wineestate wynplaas wynlandgoed wynkelder winecellar
`
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [trade = '', names = ''] = line.split(': ')
      return [trade, ...names.split(' ')].map((name) => [name, trade] as const)
    }),
)

/** Sectors with trades that belong to them. A sector says less than a trade and does not contradict it. */
export const sectors: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  `
accommodation: hotel guesthouse
agriculture: farm winery forestry nursery fishing
automotive: mechanic panelbeater cardealer fillingstation
builder: plumber electrician
education: school preschool daycare
finance: bank accountant insurance bookkeeper
health: doctor dentist pharmacy optometrist
hospitality: restaurant cafe takeaway hotel guesthouse catering accommodation
legal: attorney
retail: supermarket hardware florist bottlestore butchery bakery pharmacy furniture fillingstation
`
    .trim()
    .split('\n')
    .map((line) => {
      const [sector = '', names = ''] = line.split(': ')
      return [sector, new Set(names.split(' '))] as const
    }),
)

/** Words that say nothing about the kind of a business. */
export const generalWords: ReadonlySet<string> = new Set(
  `and the of for other en die van vir ander n
  business industry sector trade company service shop store establishment outlet
  besigheid bedryf sektor handel maatskappy diens winkel onderneming nywerheid`.split(/\s+/),
)
