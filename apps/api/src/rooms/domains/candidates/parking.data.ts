/** Name servers of parking services, which show advertisements on unused domains. */
export const parkingHosts: readonly string[] = [
  'above.com',
  'afternic.com',
  'bodis.com',
  'cashparking.com',
  'dan.com',
  'dns-parking.com',
  'domainparking.ru',
  'parkingcrew.net',
  'parklogic.com',
  'sedoparking.com',
  'undeveloped.com',
  'uniregistrymarket.link',
]
