import { phrases } from '../../phrases.ts'

/** The phrases about protecting an API, from its first permission to a validated token. */
export const guideTexts = phrases({
  en: {
    protect: 'Protect this API',
    protectLead: 'What your API and its callers need, from the first permission to a validated token.',
    audience: 'Token audience',
    issuer: 'Issuer',
    jwks: 'Public keys (JWKS)',
    stepDone: 'Complete',
    stepOpen: 'To do',
    scopeStep: 'Add a permission',
    noScope: 'A token without a permission allows nothing.',
    addScope: 'Add the first permission',
    roleStep: 'Put it into a role',
    noRole: 'No role contains a permission of this API yet.',
    toRoles: 'Choose or create a role',
    serviceStep: 'Give a service the role',
    noMachine: 'You don’t have a machine-to-machine application yet.',
    addMachine: 'Create an application',
    noService: 'No service has such a role yet.',
    giveRole: 'Give a service the role {role}',
    requestStep: 'Request a token',
    requestLead:
      'A service asks for the permissions it needs. Applications that sign users in send the same “resource” and “scope”; their guides contain the code.',
    notYet: 'The code appears here once the steps above are done.',
    validateStep: 'Validate the token in your API',
    validateLead:
      'Check the signature, the issuer, the audience and the permission of every token before you trust it.',
    scopeFirst: 'The code appears here once this API has a permission.',
  },
  de: {
    protect: 'Diese API schützen',
    protectLead:
      'Was Ihre API und ihre Aufrufer brauchen: von der ersten Berechtigung bis zum geprüften Token.',
    audience: 'Audience der Tokens',
    issuer: 'Issuer',
    jwks: 'Öffentliche Schlüssel (JWKS)',
    stepDone: 'Erledigt',
    stepOpen: 'Offen',
    scopeStep: 'Eine Berechtigung hinzufügen',
    noScope: 'Ein Token ohne Berechtigung erlaubt nichts.',
    addScope: 'Erste Berechtigung hinzufügen',
    roleStep: 'Sie in eine Rolle aufnehmen',
    noRole: 'Noch enthält keine Rolle eine Berechtigung dieser API.',
    toRoles: 'Rolle wählen oder erstellen',
    serviceStep: 'Einem Dienst die Rolle zuweisen',
    noMachine: 'Es gibt noch keine Anwendung der Art „Maschine zu Maschine“.',
    addMachine: 'Anwendung erstellen',
    noService: 'Noch hat kein Dienst eine solche Rolle.',
    giveRole: 'Einem Dienst die Rolle {role} zuweisen',
    requestStep: 'Ein Token anfordern',
    requestLead:
      'Ein Dienst fordert die Berechtigungen an, die er braucht. Anwendungen, die Benutzer anmelden, senden dieselben Parameter „resource“ und „scope“; ihre Anleitungen enthalten den Code.',
    notYet: 'Der Code erscheint hier, sobald die Schritte oben erledigt sind.',
    validateStep: 'Das Token in Ihrer API prüfen',
    validateLead:
      'Prüfen Sie bei jedem Token Signatur, Issuer, Audience und Berechtigung, bevor Sie ihm vertrauen.',
    scopeFirst: 'Der Code erscheint hier, sobald diese API eine Berechtigung hat.',
  },
})
