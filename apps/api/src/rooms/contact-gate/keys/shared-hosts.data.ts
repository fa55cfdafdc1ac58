/**
 * Hosts, with all hosts below them, on which anybody can have a page, a number or a short URL, or which redirect to any other host. Such a host
 * identifies no business. The list covers the hosts that small businesses use. A host that is not in the list is treated as one of its owner.
 */
export const sharedHosts: ReadonlySet<string> = new Set([
  ...['facebook.com', 'fb.com', 'fb.me', 'm.me', 'instagram.com', 'threads.net', 'linkedin.com', 'lnkd.in'],
  ...['twitter.com', 'x.com', 't.co', 'youtube.com', 'youtu.be', 'tiktok.com', 'pinterest.com', 'pin.it'],
  ...['wa.me', 'whatsapp.com', 't.me', 'telegram.me', 'google.com', 'google.co.za', 'goo.gl', 'g.page', 'g.co'],
  ...['bing.com', 'waze.com', 'linktr.ee', 'bit.ly', 'tinyurl.com', 'archive.org', 'wikipedia.org', 'github.com'],
  ...['gumtree.co.za', 'olx.co.za', 'yellowpages.co.za', 'yep.co.za', 'brabys.com', 'snupit.co.za', 'cylex.net.za'],
  ...['hellopeter.com', 'property24.com', 'privateproperty.co.za', 'autotrader.co.za', 'cars.co.za', 'takealot.com'],
  ...['airbnb.com', 'booking.com', 'tripadvisor.com', 'tripadvisor.co.za', 'lekkeslaap.co.za', 'safarinow.com'],
  // hosts to which email filters rewrite links
  ...['protection.outlook.com', 'urldefense.com', 'mimecast.com', 'mimecastprotect.com', 'cudasvc.com'],
  ...['yelp.com', 'trustpilot.com', 'crunchbase.com', 'eventbrite.com', 'medium.com'],
])
