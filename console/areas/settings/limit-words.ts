import { type CounterSubject, RATE_LIMITS, type RateLimitName } from '../../../src/contract/rate-limits.ts'
import type { ConsoleLanguage, TranslatedLanguage } from '../../phrases.ts'

type Words<Name extends string> = Readonly<Record<Name, string>>

const german: Words<RateLimitName> = {
  passwordTries: 'falsche Passwörter',
  passwordTriesInARow: 'falsche Passwörter hintereinander',
  passwordTriesPerNetwork: 'falsche Passwörter, für beliebige Konten',
  passkeyTriesPerNetwork: 'abgelehnte Passkeys, beliebiger Konten',
  ownPasswordTries: 'falsche jetzige Passwörter eines angemeldeten Benutzers',
  ownUsernameTries: 'Benutzernamen, um die ein angemeldeter Benutzer bittet',
  ownDataDownloads: 'Kopien der eigenen Daten eines angemeldeten Benutzers',
  ownPictures: 'Bilder, die ein angemeldeter Benutzer hochlädt',
  codeTriesPerAddress: 'falsche Codes aller Art, außer zum Zurücksetzen eines Passworts',
  resetTriesPerAddress: 'falsche Codes zum Zurücksetzen eines Passworts',
  totpTries: 'falsche Einmalcodes einer Authenticator-App',
  backupCodeTries: 'falsche Backup-Codes',
  emailFactorTries: 'falsche Codes per E-Mail als zweiter Faktor',
  phoneFactorTries: 'falsche Codes per SMS als zweiter Faktor',
  emailFactorSends: 'gesendete Codes per E-Mail als zweiter Faktor',
  phoneFactorSends: 'gesendete Codes per SMS als zweiter Faktor',
  codeSendsPerAddress: 'gesendete Codes, außer zum Zurücksetzen eines Passworts',
  strangerSendsPerAddress: 'Codes, die angefordert werden, bevor das Konto nachgewiesen ist',
  resetSendsPerAddress: 'Codes, die zum Zurücksetzen eines Passworts gesendet werden',
  resetSendsPerAddressAndNetwork:
    'Codes, die aus einem Netz zum Zurücksetzen eines Passworts gesendet werden',
  codeSendsPerNetwork: 'gesendete Codes, an beliebige Adressen',
  sendsPerApplication: 'durch die Management- und die Services-API gesendete Codes',
  smsPerTenant: 'SMS, auch mit zweiten Faktoren',
  smsPerNetwork: 'SMS mit Codes, auch als zweiter Faktor, an beliebige Nummern',
  smsPerCallingCode: 'SMS an eine Ländervorwahl',
  noticesPerNumber: 'SMS, die Änderungen am Konto melden',
  registrationsPerNetwork: 'registrierte Konten',
  submitsPerNetwork: 'abgelehnte Absendungen mit Benutzername oder Passwort im Profil',
  newPasswordsPerNetwork: 'neue Passwörter von Benutzern',
  deviceCodeTries: 'unbekannte Codes von Geräten',
  deviceCodeTriesPerNetwork: 'unbekannte Codes von Geräten, in beliebigen Sitzungen',
  clientDocumentsPerNetwork: 'abgerufene Dokumente und Schlüsselmengen nicht registrierter Clients',
  clientRegistrationsPerNetwork: 'Aufrufe, mit denen sich Clients selbst registrieren',
  invitationSendsPerTenant: 'gesendete Einladungen',
  invitationTriesPerNetwork: 'unbekannte Einladungen',
  organizationInvitations: 'gesendete Einladungen in eine Organisation',
  organizationInvitationsPerAddress: 'Einladungen in Organisationen, an eine Adresse',
  organizationDomainChecks: 'Prüfungen der Domains einer Organisation',
  clientTriesPerNetwork: 'fehlgeschlagene Authentifizierungen eines Clients',
}

const germanSubjects: Words<CounterSubject> = {
  account: 'Konto',
  session: 'Sitzung',
  address: 'Adresse',
  'address and network': 'Adresse und Netz',
  network: 'Netz',
  'largest network': 'Netz (IPv4-Adresse oder IPv6-/48)',
  'client and network': 'Client und Netz',
  application: 'Anwendung',
  organization: 'Organisation',
  tenant: 'Mandant',
  'calling code': 'Ländervorwahl',
}

/** The subjects whose names don't reveal what kind of network they refer to. */
const englishSubjects: Partial<Words<CounterSubject>> = {
  'largest network': 'network (IPv4 address or IPv6 /48)',
}

/** Returns what a rate limit counts, and the subject that it counts per (spec/limits#rate-limits). */
export function describeLimit(
  name: RateLimitName,
  language: ConsoleLanguage,
): { counts: string; per: string } {
  const { counts, per } = RATE_LIMITS[name]
  if (language === 'en') return { counts, per: englishSubjects[per] ?? per }
  const { names, subjects } = translations[language]
  return { counts: names[name], per: subjects[per] }
}

type Translation = { names: Words<RateLimitName>; subjects: Words<CounterSubject> }
const translations: Readonly<Record<TranslatedLanguage, Translation>> = {
  de: { names: german, subjects: germanSubjects },
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/**
 * Formats a number of seconds: `10 minutes`, `1.5 hours`. Returns null for less than a minute and for invalid
 * numbers.
 */
export function formatDuration(seconds: number, language: ConsoleLanguage): string | null {
  const unit = units.find(([, length]) => seconds >= length)
  if (!unit) return null
  const [name, length] = unit
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: name,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(seconds / length)
}
