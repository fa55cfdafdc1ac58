export type ProvinceCode = 'EC' | 'FS' | 'GP' | 'KZN' | 'LP' | 'MP' | 'NC' | 'NW' | 'WC'

export const provinceNames: Record<ProvinceCode, string> = {
  EC: 'Eastern Cape',
  FS: 'Free State',
  GP: 'Gauteng',
  KZN: 'KwaZulu-Natal',
  LP: 'Limpopo',
  MP: 'Mpumalanga',
  NC: 'Northern Cape',
  NW: 'North West',
  WC: 'Western Cape',
}

/** A suburb with its own streets, so that an address never combines a street with a distant suburb. */
export type Suburb = { name: string | null; postalCode: string; streets: readonly string[] }

/** A town or city. `names`: the current name, followed by older names that are in use. `weight`: share of prospects in this place. */
export type Place = {
  names: readonly [string, ...string[]]
  province: ProvinceCode
  dialCode: string
  weight: number
  suburbs: readonly Suburb[]
}

function suburb(name: string, postalCode: string, ...streets: string[]): Suburb {
  return { name, postalCode, streets }
}

/** Returns a place without suburbs, because addresses outside the cities name none. */
function town(name: string, province: ProvinceCode, dialCode: string, postalCode: string, ...streets: string[]): Place {
  return { names: [name], province, dialCode, weight: 1, suburbs: [{ name: null, postalCode, streets }] }
}

const cities: readonly Place[] = [
  {
    names: ['Johannesburg'],
    province: 'GP',
    dialCode: '011',
    weight: 17,
    suburbs: [
      suburb('Rosebank', '2196', 'Jan Smuts Avenue', 'Oxford Road', 'Jellicoe Avenue', 'Bolton Road'),
      suburb('Sandton', '2196', 'Rivonia Road', 'Katherine Street', 'Grayston Drive'),
      suburb('Randburg', '2194', 'Malibongwe Drive', 'Bram Fischer Drive', 'Hendrik Verwoerd Drive', 'Republic Road'),
      suburb('Braamfontein', '2001', 'De Korte Street', 'Jorissen Street', 'Juta Street'),
      suburb('Marshalltown', '2001', 'Commissioner Street', 'Fox Street', 'Marshall Street'),
      suburb('Melville', '2092', '7th Street', 'Main Road'),
      suburb('Fordsburg', '2092', 'Mint Road', 'Central Road', 'Lilian Road'),
      suburb('Booysens', '2091', 'Booysens Road', 'Ophir Booysens Road', 'Mentz Street'),
      suburb('Linden', '2195', '4th Avenue', '6th Street', '3rd Avenue'),
      suburb('Orlando East', '1804', 'Sofasonke Street', 'Mooki Street'),
      suburb('Diepkloof', '1862', 'Immink Drive', 'Ben Naude Drive'),
      suburb('Lenasia', '1827', 'Rose Avenue', 'Gemsbok Street', 'Nirvana Drive'),
      suburb('Wynberg', '2090', 'Louis Botha Avenue', 'Andries Street', '2nd Street'),
    ],
  },
  {
    names: ['Pretoria', 'Tshwane'],
    province: 'GP',
    dialCode: '012',
    weight: 11,
    suburbs: [
      suburb('Hatfield', '0083', 'Burnett Street', 'Park Street', 'Hilda Street'),
      suburb('Arcadia', '0083', 'Stanza Bopape Street', 'Steve Biko Road', 'Francis Baard Street'),
      suburb('Pretoria Central', '0002', 'Paul Kruger Street', 'Sophie de Bruyn Street', 'Madiba Street'),
      suburb('Brooklyn', '0181', 'Fehrsen Street', 'Bronkhorst Street', 'Duncan Street'),
      suburb('Lynnwood', '0081', 'Lynnwood Road', 'Rosemary Road'),
      suburb('Silverton', '0184', 'Pretoria Street', 'Watermeyer Street', 'Dykor Road'),
      suburb('Montana', '0182', 'Sefako Makgatho Drive', 'Dr Swanepoel Road', 'Zambezi Drive'),
      suburb('Hermanstad', '0082', 'Van der Hoff Road', 'Taljaard Street', 'Moot Street'),
      suburb('Mamelodi', '0122', 'Tsamaya Avenue', 'Maphalla Drive'),
    ],
  },
  {
    names: ['Ekurhuleni', 'East Rand'],
    province: 'GP',
    dialCode: '011',
    weight: 6,
    suburbs: [
      suburb('Kempton Park', '1619', 'Voortrekker Road', 'Pretoria Road', 'Central Avenue'),
      suburb('Boksburg', '1459', 'Commissioner Street', 'Rietfontein Road', 'Trichardts Road'),
      suburb('Benoni', '1501', 'Tom Jones Street', 'Cranbourne Avenue', 'Elston Avenue'),
      suburb('Germiston', '1401', 'Victoria Street', 'Power Street', 'Refinery Road'),
      suburb('New Redruth', '1449', 'Voortrekker Road', 'Penzance Street', 'Clinton Road'),
      suburb('Edenvale', '1609', 'Van Riebeeck Avenue', 'Voortrekker Avenue', '12th Avenue'),
    ],
  },
  {
    names: ['Cape Town', 'Kaapstad'],
    province: 'WC',
    dialCode: '021',
    weight: 15,
    suburbs: [
      suburb('City Centre', '8001', 'Bree Street', 'Loop Street', 'Long Street', 'Buitengracht Street'),
      suburb('Gardens', '8001', 'Kloof Street', 'Orange Street', 'Mill Street'),
      suburb('Woodstock', '7925', 'Albert Road', 'Victoria Road', 'Sir Lowry Road'),
      suburb('Claremont', '7708', 'Main Road', 'Dreyer Street', 'Imam Haron Road'),
      suburb('Wynberg', '7800', 'Main Road', 'Ottery Road', 'Broad Road'),
      suburb('Athlone', '7764', 'Klipfontein Road', 'Belgravia Road', 'Lawrence Road'),
      suburb('Mitchells Plain', '7785', 'AZ Berman Drive', 'Spine Road', 'Merrydale Avenue'),
      suburb('Khayelitsha', '7784', 'Lansdowne Road', 'Mew Way', 'Walter Sisulu Road'),
      suburb('Bellville', '7530', 'Voortrekker Road', 'Durban Road', 'Strand Road', 'Modderdam Road'),
      suburb('Parow', '7500', 'Voortrekker Road', 'Tallent Street', 'Jean Simonis Street'),
      suburb('Durbanville', '7550', 'Wellington Road', 'Church Street', 'Oxford Street'),
      suburb('Montague Gardens', '7441', 'Montague Drive', 'Koeberg Road', 'Stella Road'),
      suburb('Brackenfell', '7560', 'Old Paarl Road', 'Frans Conradie Drive', 'Paradys Street'),
      suburb('Muizenberg', '7945', 'Main Road', 'Atlantic Road', 'Prince George Drive'),
    ],
  },
  {
    names: ['Durban', 'eThekwini'],
    province: 'KZN',
    dialCode: '031',
    weight: 12,
    suburbs: [
      suburb('Durban Central', '4001', 'Dr Pixley KaSeme Street', 'Anton Lembede Street', 'Monty Naicker Road'),
      suburb('Morningside', '4001', 'Florida Road', 'Problem Mkhize Road', 'Windermere Road'),
      suburb('Overport', '4091', 'Sparks Road', 'Brickfield Road', 'Peter Mokaba Road'),
      suburb('Springfield Park', '4091', 'Umgeni Road', 'Electron Road', 'Intersite Avenue'),
      suburb('Chatsworth', '4092', 'Lenny Naidu Drive', 'Florence Nightingale Drive', 'Arena Park Drive'),
      suburb('Phoenix', '4068', 'Phoenix Highway', 'JG Champion Drive', 'Industrial Park Road'),
      suburb('Isipingo', '4110', 'Old Main Road', 'Police Station Road', 'Prospecton Road'),
      suburb('Westville', '3629', 'Jan Hofmeyr Road', 'St James Avenue', 'Attercliffe Road'),
      suburb('Pinetown', '3610', 'Old Main Road', 'Josiah Gumede Road', 'Crompton Street'),
      suburb('KwaMashu', '4360', 'Malandela Road', 'Bhejane Road'),
      suburb('Amanzimtoti', '4126', 'Beach Road', 'Kingsway', 'Andrew Zondo Road'),
    ],
  },
  {
    names: ['Pietermaritzburg'],
    province: 'KZN',
    dialCode: '033',
    weight: 3,
    suburbs: [
      suburb(
        'Pietermaritzburg Central',
        '3201',
        'Chief Albert Luthuli Street',
        'Langalibalele Street',
        'Boshoff Street',
      ),
      suburb('Scottsville', '3201', 'Alan Paton Avenue', 'King Edward Avenue', 'Durban Road'),
      suburb('Raisethorpe', '3201', 'Old Greytown Road', 'Chota Motala Road'),
    ],
  },
  {
    names: ['Gqeberha', 'Port Elizabeth'],
    province: 'EC',
    dialCode: '041',
    weight: 5,
    suburbs: [
      suburb('Central', '6001', 'Govan Mbeki Avenue', 'Rink Street', 'Parliament Street'),
      suburb('Walmer', '6070', 'Main Road', 'Heugh Road', '8th Avenue'),
      suburb('Newton Park', '6045', 'Cape Road', '4th Avenue', 'Hurd Street'),
      suburb('Korsten', '6020', 'Durban Road', 'Highfield Road'),
      suburb('New Brighton', '6200', 'Njoli Street', 'Ferguson Road'),
    ],
  },
  {
    names: ['East London', 'KuGompo City'],
    province: 'EC',
    dialCode: '043',
    weight: 3,
    suburbs: [
      suburb('East London Central', '5201', 'Oxford Street', 'Buffalo Street', 'Fleet Street'),
      suburb('Beacon Bay', '5241', 'Bonza Bay Road', 'Beaconhurst Drive'),
      suburb('Mdantsane', '5219', 'Billie Road', 'Qumza Highway'),
    ],
  },
  {
    names: ['Bloemfontein', 'Mangaung'],
    province: 'FS',
    dialCode: '051',
    weight: 5,
    suburbs: [
      suburb('Bloemfontein Central', '9301', 'Charlotte Maxeke Street', 'President Brand Street', 'Henry Street'),
      suburb('Westdene', '9301', 'Zastron Street', 'Kellner Street', 'Second Avenue', 'Nelson Mandela Drive'),
      suburb('Hilton', '9301', 'Church Street', 'Monument Road', 'Rhodes Avenue'),
      suburb('Botshabelo', '9781', 'Jazzman Mokhothu Road', 'Main Road'),
    ],
  },
  {
    names: ['Polokwane', 'Pietersburg'],
    province: 'LP',
    dialCode: '015',
    weight: 3,
    suburbs: [
      suburb('Polokwane Central', '0699', 'Landdros Maré Street', 'Grobler Street', 'Hans van Rensburg Street'),
      suburb('Bendor', '0699', 'Munnik Avenue', 'Outspan Drive', 'De Wet Drive'),
    ],
  },
  {
    names: ['Mbombela', 'Nelspruit'],
    province: 'MP',
    dialCode: '013',
    weight: 3,
    suburbs: [
      suburb('Mbombela Central', '1201', 'Samora Machel Drive', 'Brown Street', 'Paul Kruger Street'),
      suburb('West Acres', '1201', 'Enos Mabuza Drive', 'Flamboyant Street'),
    ],
  },
  {
    names: ['Centurion'],
    province: 'GP',
    dialCode: '012',
    weight: 4,
    suburbs: [
      suburb('Centurion Central', '0157', 'Lenchen Avenue', 'Heuwel Road', 'Hendrik Verwoerd Drive'),
      suburb('Hennopspark', '0157', 'Edison Crescent', 'Jakaranda Street', 'Old Johannesburg Road'),
    ],
  },
]

const towns: readonly Place[] = [
  town('Krugersdorp', 'GP', '011', '1739', 'Voortrekker Road', 'Commissioner Street', 'Ockerse Street'),
  town('Vereeniging', 'GP', '016', '1939', 'Voortrekker Street', 'Merriman Avenue', 'Beaconsfield Avenue'),
  town('Vanderbijlpark', 'GP', '016', '1911', 'Frikkie Meyer Boulevard', 'Playfair Boulevard', 'Faraday Boulevard'),
  town('Midrand', 'GP', '011', '1685', 'Old Pretoria Main Road', 'New Road', 'Richards Drive'),
  town('Stellenbosch', 'WC', '021', '7600', 'Dorp Street', 'Bird Street', 'Andringa Street', 'Banghoek Road'),
  town('Paarl', 'WC', '021', '7646', 'Main Street', 'Lady Grey Street', 'Jan van Riebeeck Drive'),
  town('Franschhoek', 'WC', '021', '7690', 'Huguenot Road', 'Dirkie Uys Street', 'La Rochelle Street'),
  town('Worcester', 'WC', '023', '6850', 'High Street', 'Durban Street', 'Russell Street'),
  town('Robertson', 'WC', '023', '6705', 'Voortrekker Street', 'Church Street', 'Reitz Street'),
  town('Ceres', 'WC', '023', '6835', 'Voortrekker Street', 'Vos Street', 'Lyell Street'),
  town('George', 'WC', '044', '6529', 'York Street', 'Courtenay Street', 'Knysna Road'),
  town('Mossel Bay', 'WC', '044', '6506', 'Marsh Street', 'Louis Fourie Road', 'Bland Street'),
  town('Oudtshoorn', 'WC', '044', '6625', 'Voortrekker Road', 'Langenhoven Road', 'Baron van Reede Street'),
  town('Hermanus', 'WC', '028', '7200', 'Main Road', 'Mussel Street', 'Marine Drive'),
  town('Swellendam', 'WC', '028', '6740', 'Voortrek Street', 'Swellengrebel Street'),
  town('Malmesbury', 'WC', '022', '7300', 'Voortrekker Road', 'Piketberg Street', 'Bokomo Road'),
  town('Ballito', 'KZN', '032', '4420', 'Compensation Beach Road', 'Jack Powell Road', 'Sandra Road'),
  town('Richards Bay', 'KZN', '035', '3900', 'Bullion Boulevard', 'Alton Road', 'Dollar Drive'),
  town('Empangeni', 'KZN', '035', '3880', 'Turnbull Street', 'Maxwell Street', 'Union Street'),
  town('Newcastle', 'KZN', '034', '2940', 'Scott Street', 'Allen Street', 'Murchison Street'),
  town('Ladysmith', 'KZN', '036', '3370', 'Murchison Street', 'Lyell Street', 'Queen Street'),
  town('Port Shepstone', 'KZN', '039', '4240', 'Nelson Mandela Drive', 'Aiken Street', 'Bisset Street'),
  town('Howick', 'KZN', '033', '3290', 'Main Street', 'Harvard Street', 'Bell Street'),
  town('Mthatha', 'EC', '047', '5099', 'York Road', 'Madeira Street', 'Nelson Mandela Drive'),
  town('Makhanda', 'EC', '046', '6139', 'High Street', 'New Street', 'Bathurst Street'),
  town('Komani', 'EC', '045', '5319', 'Cathcart Road', 'Robinson Road', 'Ebden Street'),
  town('Jeffreys Bay', 'EC', '042', '6330', 'Da Gama Road', 'Jeffrey Street', 'St Francis Street'),
  town('Graaff-Reinet', 'EC', '049', '6280', 'Church Street', 'Caledon Street', 'Somerset Street'),
  town('Welkom', 'FS', '057', '9459', 'Stateway', 'Jan Hofmeyr Road', 'Buren Street'),
  town('Bethlehem', 'FS', '058', '9701', 'Muller Street', 'Commissioner Street', 'Cambridge Street'),
  town('Kroonstad', 'FS', '056', '9499', 'Cross Street', 'Reitz Street', 'Brand Street'),
  town('Sasolburg', 'FS', '016', '1947', 'John Vorster Road', 'Eric Louw Street', 'Fichardt Street'),
  town('Clarens', 'FS', '058', '9707', 'Main Street', 'Market Street', 'Naauwpoort Street'),
  town('Phuthaditjhaba', 'FS', '058', '9866', 'Setai Street', 'Motebang Street', 'Clubview Street'),
  town('eMalahleni', 'MP', '013', '1035', 'Mandela Street', 'OR Tambo Street', 'Walter Sisulu Street'),
  town('Middelburg', 'MP', '013', '1050', 'Cowen Ntuli Street', 'Dr Beyers Naudé Street', 'Walter Sisulu Street'),
  town('Secunda', 'MP', '017', '2302', 'PDP Kruger Street', 'Lurgi Road', 'Horwood Street'),
  town('Ermelo', 'MP', '017', '2350', 'Voortrekker Street', 'Church Street', 'Joubert Street'),
  town('White River', 'MP', '013', '1240', 'Chief Mgiyeni Khumalo Drive', 'Theo Kleynhans Street'),
  town('Tzaneen', 'LP', '015', '0850', 'Agatha Street', 'Danie Joubert Street', 'Skirving Street'),
  town('Thohoyandou', 'LP', '015', '0950', 'Mphephu Drive', 'Mvusuludzo Street'),
  town('Mokopane', 'LP', '015', '0601', 'Thabo Mbeki Drive', 'Nelson Mandela Drive', 'Ruiter Street'),
  town('Bela-Bela', 'LP', '014', '0480', 'Chris Hani Drive', 'Potgieter Road', 'Sutter Street'),
  town('Louis Trichardt', 'LP', '015', '0920', 'Krogh Street', 'Rissik Street', 'Songozwi Street'),
  town('Rustenburg', 'NW', '014', '0299', 'Nelson Mandela Drive', 'Beyers Naudé Drive', 'Fatima Bhayat Street'),
  town('Potchefstroom', 'NW', '018', '2520', 'Walter Sisulu Avenue', 'Govan Mbeki Drive', 'Peter Mokaba Avenue'),
  town('Klerksdorp', 'NW', '018', '2571', 'OR Tambo Street', 'Buffeldoorn Road', 'Margaretha Prinsloo Street'),
  town('Mahikeng', 'NW', '018', '2745', 'Shippard Street', 'Nelson Mandela Drive', 'Station Road'),
  town('Brits', 'NW', '012', '0250', 'Harrington Street', 'Carel de Wet Road', 'Pienaar Street'),
  town('Kimberley', 'NC', '053', '8301', 'Du Toitspan Road', 'Bultfontein Road', 'Phakamile Mabija Road'),
  town('Upington', 'NC', '054', '8801', 'Schröder Street', 'Scott Street', 'Mark Street'),
  town('Springbok', 'NC', '027', '8240', 'Voortrekker Street', 'Namakwa Street'),
  town('Kuruman', 'NC', '053', '8460', 'Main Road', 'Voortrekker Street', 'Bear Street'),
]

export const places: readonly Place[] = [...cities, ...towns]

/** Names of regions that business names contain, by province. */
export const regionNames: Record<ProvinceCode, readonly string[]> = {
  EC: ['Sunshine Coast', 'Wild Coast', 'Baviaans', 'Amathole', 'Kouga', 'Camdeboo'],
  FS: ['Goldfields', 'Maluti', 'Vrystaat', 'Riemland', 'Golden Gate'],
  GP: ['Highveld', 'Jacaranda City', 'Egoli', 'East Rand', 'Magalies', 'Vaal'],
  KZN: ['Midlands', 'Zululand', 'Dolphin Coast', 'Umgeni', 'Drakensberg', 'Hibiscus Coast'],
  LP: ['Waterberg', 'Bushveld', 'Soutpansberg', 'Letaba', 'Marula', 'Capricorn'],
  MP: ['Lowveld', 'Kiepersol', 'Panorama', 'Crocodile River', 'Escarpment'],
  NC: ['Kalahari', 'Orange River', 'Namaqua', 'Diamond Fields', 'Kgalagadi'],
  NW: ['Platinum', 'Bosveld', 'Mooi River', 'Groot Marico', 'Bophirima'],
  WC: [
    'Overberg',
    'Boland',
    'Cape Flats',
    'Helderberg',
    'Garden Route',
    'West Coast',
    'Tygerberg',
    'Swartland',
    'Table Bay',
    'Signal Hill',
  ],
}
