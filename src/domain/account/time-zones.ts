import { HOUR } from '../../contract/time.ts'

/** Names of time zones that users can read, such as "Berlin (GMT+1)" (spec/account-centre#profile). */

type TimeZone = { id: string; label: string }

/** The continents by which the zones are grouped. */
export const continents = ['africa', 'america', 'asia', 'europe', 'oceania'] as const
export type Continent = (typeof continents)[number]

/** The continents by the first part of a zone's name. */
const CONTINENT_OF_AREA: Readonly<Record<string, Continent>> = {
  Africa: 'africa',
  America: 'america',
  Asia: 'asia',
  Atlantic: 'europe',
  Australia: 'oceania',
  Europe: 'europe',
  Indian: 'africa',
  Pacific: 'oceania',
}

/** The islands that belong to another continent than the others of their ocean. */
const CONTINENT_OF_ISLAND: Readonly<Record<string, Continent>> = {
  'Atlantic/Bermuda': 'america',
  'Atlantic/Cape_Verde': 'africa',
  'Atlantic/South_Georgia': 'america',
  'Atlantic/St_Helena': 'africa',
  'Atlantic/Stanley': 'america',
  'Indian/Chagos': 'asia',
  'Indian/Christmas': 'oceania',
  'Indian/Cocos': 'oceania',
  'Indian/Maldives': 'asia',
}

/** The present names of cities for which `Intl` has former ones. */
const CITIES: Readonly<Record<string, string>> = {
  Calcutta: 'Kolkata',
  Faeroe: 'Faroe Islands',
  Katmandu: 'Kathmandu',
  Kiev: 'Kyiv',
  Rangoon: 'Yangon',
  Saigon: 'Ho Chi Minh City',
}

/**
 * Cities whose clocks agree with those of a better-known city of the same country, and places where nobody lives. A
 * user who has such a zone keeps it. Zones with three parts, such as America/Indiana/Knox, are like these.
 */
const OMITTED_CITIES = new Set(
  'Anadyr Aqtau Aqtobe Araguaina Astrakhan Atyrau Bahia Bahia_Banderas Barnaul Belem Blanc-Sablon Boa_Vista Boise Broken_Hill Busingen Cambridge_Bay Campo_Grande Casey Catamarca Ceuta Chita Choibalsan Ciudad_Juarez Coral_Harbour Cordoba Coyhaique Creston Cuiaba Danmarkshavn Davis Dawson Dawson_Creek Detroit DumontDUrville Eirunepe Enderbury Eucla Famagusta Fort_Nelson Fortaleza Glace_Bay Goose_Bay Hebron Indianapolis Inuvik Iqaluit Johnston Jujuy Juneau Khandyga Kirov Kosrae Kuching Kwajalein Lindeman Longyearbyen Louisville Maceio Macquarie Matamoros Mawson Mazatlan McMurdo Mendoza Menominee Merida Metlakatla Midway Moncton Monterrey Nome Novokuznetsk Ojinaga Oral Palmer Pontianak Porto_Velho Qostanay Qyzylorda Rankin_Inlet Recife Resolute Rothera Sakhalin Samarkand Santarem Saratov Scoresbysund Simferopol Sitka Srednekolymsk Swift_Current Syowa Thule Tomsk Troll Truk Ulyanovsk Ust-Nera Volgograd Vostok Wake Yakutat'.split(
    ' ',
  ),
)

/** Lists the time zones by continent, from west to east. */
export const listTimeZones = (now: number): ReadonlyMap<Continent, TimeZone[]> =>
  Map.groupBy(labelledZones(now), ({ id }) => continentOf(id))

const continentOf = (id: string): Continent =>
  CONTINENT_OF_ISLAND[id] ?? CONTINENT_OF_AREA[id.replace(/\/.*/, '')] ?? 'oceania'

let labelled: { until: number; zones: TimeZone[] } | null = null

/** The zones from west to east. The list is kept for an hour, because each offset takes time. */
function labelledZones(now: number): TimeZone[] {
  if (!labelled || labelled.until < now || labelled.until > now + HOUR) {
    const zones = Intl.supportedValuesOf('timeZone')
      .filter((id) => !id.includes('/', id.indexOf('/') + 1) && !OMITTED_CITIES.has(id.replace(/.*\//, '')))
      .map((id) => ({ id, label: formatTimeZone(id, now), offset: minutesOf(findOffset(id, now)) }))
      .sort((a, b) => a.offset - b.offset || (a.label < b.label ? -1 : 1))
    labelled = { until: now + HOUR, zones }
  }
  return labelled.zones
}

/** Returns the city of a time zone and its present offset, such as "Berlin (GMT+1)". */
export function formatTimeZone(id: string, now: number): string {
  const offset = findOffset(id, now)
  return offset === null ? id : `${cityOf(id)} (${offset === 'GMT+0' ? 'GMT' : offset})`
}

/** Returns the offset, or null if this runtime does not know the zone. */
function findOffset(timeZone: string, now: number): string | null {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(now)
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? null
  } catch {
    return null
  }
}

/** Converts an offset such as "GMT-3:30" to minutes. */
function minutesOf(offset: string | null): number {
  const [, sign, hours, minutes = 0] = /([+-])(\d+):?(\d+)?/.exec(offset ?? '') ?? []
  return (Number(hours ?? 0) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

/** The last part of a zone's name, followed by the state or country if the name has three parts. */
const cityOf = (id: string) =>
  id
    .split('/')
    .slice(id.includes('/') ? 1 : 0)
    .reverse()
    .map((part) => CITIES[part] ?? part.replaceAll('_', ' '))
    .join(', ')
