/** Name servers of services that show advertisements on domains that nobody uses. */
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
