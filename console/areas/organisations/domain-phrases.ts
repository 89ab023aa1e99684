import { phrases } from '../../phrases.ts'

/** The phrases about the domains of an organisation. */
export const domainPhrases = phrases({
  en: {
    domains: 'Domains',
    domainsLead:
      'People with a verified email address of a proved domain can join without an invitation, if you allow it.',
    noDomains: 'This organization has no domains yet.',
    addDomain: 'Add a domain',
    domain: 'Domain',
    domainHint:
      'For example, example.com. Providers of free email addresses and public suffixes can’t be added.',
    join: 'People with an address',
    off: 'Don’t join by themselves',
    suggest: 'Can join',
    automatic: 'Join when they sign in',
    rolesOfJoined: 'They get these roles when they join. Members who have joined keep theirs.',
    proved: 'Proved',
    unproved: 'Not proved yet',
    missed: 'Record missing since {time}',
    prove: 'Prove',
    record: 'Record',
    proveTitle: 'Prove {domain}',
    proveLead:
      'Add this TXT record to the DNS of the domain, and keep it. We check it now and every week; if it is missing, nobody joins by the domain anymore.',
    recordName: 'Name of the record',
    recordValue: 'Value',
    checkNow: 'Check now',
    checkedAt: 'Last checked: {time}',
    nowProved: '{domain} is proved',
    missing: 'Two DNS resolvers didn’t find the record. A new record can take up to an hour to appear.',
    disagreement: 'The DNS resolvers don’t agree yet. Try again in a few minutes.',
    unavailable: 'The DNS resolvers didn’t respond. Try again in a few minutes.',
    editDomain: 'Change {domain}',
    edit: 'Change',
    domainSaved: '{domain} was changed',
    removeDomain: 'Remove the domain {domain}?',
    removeDomainLead: 'Nobody joins by it anymore. Members who have joined by it stay.',
  },
  de: {
    domains: 'Domains',
    domainsLead:
      'Wer eine bestätigte E-Mail-Adresse einer nachgewiesenen Domain hat, kann ohne Einladung beitreten, wenn Sie es erlauben.',
    noDomains: 'Diese Organisation hat noch keine Domains.',
    addDomain: 'Domain hinzufügen',
    domain: 'Domain',
    domainHint:
      'Etwa example.com. Domains von Anbietern kostenloser E-Mail-Adressen und öffentliche Endungen lassen sich nicht hinzufügen.',
    join: 'Personen mit einer Adresse',
    off: 'Treten nicht von selbst bei',
    suggest: 'Können beitreten',
    automatic: 'Treten bei, wenn sie sich anmelden',
    rolesOfJoined:
      'Diese Rollen erhalten sie beim Beitritt. Mitglieder, die schon beigetreten sind, behalten ihre.',
    proved: 'Nachgewiesen',
    unproved: 'Noch nicht nachgewiesen',
    missed: 'Eintrag fehlt seit {time}',
    prove: 'Nachweisen',
    record: 'Eintrag',
    proveTitle: '{domain} nachweisen',
    proveLead:
      'Fügen Sie dem DNS der Domain diesen TXT-Eintrag hinzu, und lassen Sie ihn dort. Er wird jetzt und jede Woche geprüft; fehlt er, tritt niemand mehr durch die Domain bei.',
    recordName: 'Name des Eintrags',
    recordValue: 'Wert',
    checkNow: 'Jetzt prüfen',
    checkedAt: 'Zuletzt geprüft: {time}',
    nowProved: '{domain} ist nachgewiesen',
    missing:
      'Zwei DNS-Resolver haben den Eintrag nicht gefunden. Bis ein neuer Eintrag sichtbar ist, kann es eine Stunde dauern.',
    disagreement: 'Die DNS-Resolver sind sich noch nicht einig. Versuchen Sie es in ein paar Minuten erneut.',
    unavailable: 'Die DNS-Resolver haben nicht geantwortet. Versuchen Sie es in ein paar Minuten erneut.',
    editDomain: '{domain} ändern',
    edit: 'Ändern',
    domainSaved: '{domain} wurde geändert',
    removeDomain: 'Die Domain {domain} entfernen?',
    removeDomainLead: 'Niemand tritt mehr durch sie bei. Wer durch sie beigetreten ist, bleibt Mitglied.',
  },
})
