/**
 * A trade of prospects. `names` follow a family name or another word ("Kruger Plumbing", "Siyakhula Plumbing"); `brands` are complete names;
 * `professional` firms are "Inc"; `where` restricts trades such as vineyards to the countryside.
 */
export type Trade = {
  industry: string
  weight: number
  names: readonly string[]
  afrikaansNames?: readonly string[]
  brands: readonly string[]
  tags: readonly string[]
  mailboxes: readonly string[]
  where: 'anywhere' | 'city' | 'country' | 'winelands' | 'coast'
  kind: 'company' | 'professional' | 'non_profit' | 'farm'
}

type Extras = Partial<Pick<Trade, 'afrikaansNames' | 'brands' | 'tags' | 'mailboxes' | 'where' | 'kind'>>

function trade(industry: string, weight: number, names: readonly string[], extras: Extras = {}): Trade {
  return {
    industry,
    weight,
    names,
    brands: [],
    tags: [],
    mailboxes: ['info', 'admin'],
    where: 'anywhere',
    kind: 'company',
    ...extras,
  }
}

export const trades: readonly Trade[] = [
  trade('Plumbing', 5, ['Plumbing', 'Plumbers', 'Plumbing & Drains'], {
    afrikaansNames: ['Loodgieters'],
    brands: ['Rapid Drain', 'Geyser Guys', 'Copper & Flow Plumbing'],
    tags: ['after-hours', 'insurance-panel'],
    mailboxes: ['info', 'callouts', 'jobs'],
  }),
  trade('Solar & backup power', 5, ['Solar', 'Solar Solutions', 'Energy', 'Power Systems'], {
    afrikaansNames: ['Sonkrag'],
    brands: ['Sunstone Solar', 'Grid Free Energy', 'Bright Roof Solar'],
    tags: ['installer', 'load-shedding', 'wholesale'],
    mailboxes: ['info', 'quotes', 'sales'],
  }),
  trade('Electrical contracting', 4, ['Electrical', 'Electrical Contractors', 'Electrical & Maintenance'], {
    afrikaansNames: ['Elektries'],
    brands: ['Live Wire Electrical', 'Trip Switch Electrical'],
    tags: ['coc', 'after-hours', 'tender'],
  }),
  trade('Guest houses & lodges', 5, ['Guest House', 'Lodge', 'B&B', 'Guest Farm'], {
    afrikaansNames: ['Gastehuis', 'Gasteplaas'],
    brands: [
      "Kudu's Rest Guest House",
      'The Jacaranda Tree B&B',
      'Villa Protea',
      'Old Mill Lodge',
      'Whispering Palms B&B',
    ],
    tags: ['seasonal', 'hospitality'],
    mailboxes: ['bookings', 'stay', 'reservations'],
  }),
  trade('Attorneys & conveyancers', 4, ['Attorneys', 'Attorneys & Conveyancers'], {
    afrikaansNames: ['Prokureurs'],
    tags: ['professional', 'monthly-account'],
    mailboxes: ['reception', 'office'],
    kind: 'professional',
  }),
  trade('Accounting & tax', 3, ['Accountants', 'Bookkeeping & Tax', 'Auditors'], {
    afrikaansNames: ['Rekenmeesters'],
    tags: ['professional', 'referral-partner'],
    mailboxes: ['office', 'tax', 'info'],
    kind: 'professional',
  }),
  trade('Butcheries', 4, ['Butchery', 'Meat Market', 'Biltong & Deli'], {
    afrikaansNames: ['Slaghuis', 'Vleismark'],
    brands: ['Prime Cut Butchery', 'Crescent Halaal Butchery', 'Braai & Biltong Co'],
    tags: ['wholesale', 'stokvel-supplier', 'cash-on-delivery'],
    mailboxes: ['orders', 'sales'],
  }),
  trade('Bakeries & catering', 4, ['Bakery', 'Catering', 'Home Bakery & Deli'], {
    afrikaansNames: ['Bakkery', 'Spyseniering'],
    brands: ['Koeksister Kombuis', 'Golden Vetkoek Bakery', 'Bunny Chow Corner'],
    tags: ['wholesale', 'weekly-order', 'stokvel-supplier'],
    mailboxes: ['orders', 'kitchen'],
  }),
  trade('Transport & logistics', 5, ['Logistics', 'Transport', 'Freight & Courier', 'Removals'], {
    afrikaansNames: ['Vervoer'],
    brands: ['N3 Corridor Freight', 'Long Haul Logistics', 'Kasi Couriers'],
    tags: ['fleet', 'export', 'tender', 'monthly-account'],
    mailboxes: ['dispatch', 'bookings', 'fleet'],
  }),
  trade('Farming: grain & livestock', 4, ['Farming', 'Farms', 'Stud Farm'], {
    afrikaansNames: ['Boerdery', 'Landgoed'],
    brands: ['Welgevonden Boerdery', 'Rietfontein Farming', 'Three Rivers Dairy'],
    tags: ['agri', 'seasonal', 'co-op'],
    mailboxes: ['office', 'plaas'],
    where: 'country',
    kind: 'farm',
  }),
  trade('Citrus & fruit packing', 2, ['Citrus', 'Fruit Packers', 'Orchards'], {
    afrikaansNames: ['Sitrus', 'Vrugteverpakkers'],
    tags: ['agri', 'export', 'seasonal'],
    mailboxes: ['packhouse', 'exports'],
    where: 'country',
    kind: 'farm',
  }),
  trade('Wine estates', 3, ['Wine Estate', 'Wines', 'Cellars'], {
    afrikaansNames: ['Wyne', 'Wynlandgoed'],
    brands: ['Kleine Vallei Wine Estate', 'Drie Eike Wines', 'Klipkraal Cellars', 'Bergzicht & Daughters Wines'],
    tags: ['export', 'agri', 'tasting-room'],
    mailboxes: ['cellar', 'tastings', 'wine'],
    where: 'winelands',
    kind: 'farm',
  }),
  trade('Panel beating & spray painting', 4, ['Panel Beaters', 'Auto Body', 'Panel & Paint'], {
    afrikaansNames: ['Paneelkloppers'],
    brands: ['Dent Masters Auto Body', 'Chassis & Colour'],
    tags: ['insurance-panel', 'fleet'],
    mailboxes: ['workshop', 'claims', 'info'],
  }),
  trade('Motor repairs & tyres', 4, ['Motors', 'Auto Repairs', 'Tyre & Exhaust', 'Service Centre'], {
    afrikaansNames: ['Motors', 'Bande'],
    brands: ['Clutch & Brake Corner', 'Taxi Rank Tyres'],
    tags: ['fleet', 'taxi-trade', 'cash-on-delivery'],
    mailboxes: ['workshop', 'service'],
  }),
  trade('Tutoring & training', 3, ['Tutoring', 'Learning Centre', 'Training Academy', 'Driving School'], {
    afrikaansNames: ['Akademie', 'Bestuurskool'],
    brands: ['Matric Matters Tutoring', 'Maths on Main'],
    tags: ['education', 'seta', 'referral-partner'],
    mailboxes: ['learn', 'admin', 'enrol'],
  }),
  trade('Crèches & community care', 2, ['Crèche', 'Educare Centre', 'Community Kitchen', 'Youth Centre'], {
    afrikaansNames: ['Kleuterskool'],
    brands: ['Little Lambs Educare', 'Sunbird Early Learning'],
    tags: ['education', 'npo', 'township-economy'],
    kind: 'non_profit',
  }),
  trade('Boreholes & irrigation', 3, ['Boreholes', 'Irrigation', 'Pumps & Boreholes', 'Drilling'], {
    afrikaansNames: ['Boorgate', 'Besproeiing'],
    brands: ['Blue Drop Boreholes', 'Deep Rock Drilling', 'Windpomp & Water'],
    tags: ['agri', 'installer', 'wholesale'],
    mailboxes: ['drill', 'info', 'quotes'],
  }),
  trade('Building & civil works', 5, ['Construction', 'Civils', 'Building Projects', 'Roofing', 'Paving'], {
    afrikaansNames: ['Bouers', 'Konstruksie'],
    brands: ['Plumb Line Builders', 'Red Brick Projects'],
    tags: ['tender', 'cidb', 'bbbee-level-1'],
    mailboxes: ['projects', 'tenders', 'info'],
  }),
  trade('Security services', 3, ['Security', 'Guarding', 'Armed Response'], {
    afrikaansNames: ['Sekuriteit'],
    brands: ['Night Owl Guarding', 'Gatehouse Security'],
    tags: ['tender', 'psira', 'bbbee-level-2'],
    mailboxes: ['control', 'ops'],
  }),
  trade('Cleaning & hygiene', 3, ['Cleaning Services', 'Hygiene', 'Laundry'], {
    afrikaansNames: ['Skoonmakers', 'Wassery'],
    brands: ['Spotless Floors', 'Soap & Suds Laundry'],
    tags: ['tender', 'weekly-order', 'bbbee-level-1'],
  }),
  trade('Wholesale & cash-and-carry', 3, ['Wholesalers', 'Cash & Carry', 'Trading', 'Supermarket'], {
    afrikaansNames: ['Handelaars'],
    brands: ['Corner Till Wholesale', 'Township Traders'],
    tags: ['wholesale', 'stokvel-supplier', 'township-economy', 'cash-on-delivery'],
    mailboxes: ['orders', 'buying', 'accounts'],
  }),
  trade('Hardware & building supplies', 3, ['Hardware', 'Timbers', 'Paint & Hardware', 'Steel Supplies'], {
    afrikaansNames: ['Hardeware', 'Houthandel'],
    brands: ['Nuts & Bolts Hardware', 'Corner Post Hardware'],
    tags: ['wholesale', 'monthly-account'],
    mailboxes: ['sales', 'orders', 'accounts'],
  }),
  trade('Hair & beauty', 2, ['Hair Studio', 'Beauty Salon', 'Barbers', 'Day Spa'], {
    afrikaansNames: ['Haarsalon'],
    brands: ['Crown & Coil Hair Studio', 'Fade Street Barbers'],
    tags: ['township-economy', 'walk-in'],
    mailboxes: ['bookings', 'hello'],
  }),
  trade('Pharmacies & clinics', 2, ['Pharmacy', 'Medical Centre', 'Optometrists'], {
    afrikaansNames: ['Apteek'],
    tags: ['professional', 'weekly-order'],
    mailboxes: ['scripts', 'reception'],
    kind: 'professional',
  }),
  trade('Seafood & fishing', 2, ['Fisheries', 'Seafood', 'Marine Products'], {
    afrikaansNames: ['Visserye'],
    brands: ['Snoek & Co', 'Harbour Light Seafood'],
    tags: ['export', 'seasonal', 'wholesale'],
    mailboxes: ['orders', 'harbour'],
    where: 'coast',
  }),
  trade('Textiles & uniforms', 2, ['Clothing', 'Uniforms', 'Textiles', 'Curtaining'], {
    afrikaansNames: ['Klere'],
    brands: ['Shweshwe House', 'Needle & Thread Uniforms'],
    tags: ['wholesale', 'school-season', 'tender'],
    mailboxes: ['orders', 'factory'],
    where: 'city',
  }),
  trade('Printing & signage', 2, ['Printers', 'Signs', 'Print & Copy'], {
    afrikaansNames: ['Drukkers'],
    brands: ['Big Letter Signs', 'Ink on Main'],
    tags: ['monthly-account', 'reseller'],
    mailboxes: ['art', 'print', 'sales'],
  }),
  trade('IT support & connectivity', 3, ['Computers', 'IT Solutions', 'Networks', 'Wireless'], {
    afrikaansNames: ['Rekenaars'],
    brands: ['Patch Panel IT', 'Hop Count Wireless'],
    tags: ['reseller', 'sla', 'referral-partner'],
    mailboxes: ['support', 'sales', 'noc'],
    where: 'city',
  }),
  trade('Funeral services', 2, ['Funerals', 'Funeral Parlour', 'Funeral Home'], {
    afrikaansNames: ['Begrafnisdienste'],
    tags: ['stokvel-supplier', 'after-hours'],
    mailboxes: ['office', 'info'],
  }),
  trade('Nurseries & landscaping', 2, ['Nursery', 'Landscapes', 'Garden Services'], {
    afrikaansNames: ['Kwekery', 'Tuindienste'],
    brands: ['Aloe & Acacia Landscapes', 'Fynbos Yard Nursery'],
    tags: ['seasonal', 'wholesale'],
    mailboxes: ['grow', 'info', 'quotes'],
  }),
  trade('Safaris & tours', 2, ['Safaris', 'Tours', 'Shuttles'], {
    afrikaansNames: ['Toere'],
    brands: ['Big Five Shuttles', 'Township & Table Tours'],
    tags: ['seasonal', 'hospitality', 'export'],
    mailboxes: ['travel', 'bookings'],
  }),
]
