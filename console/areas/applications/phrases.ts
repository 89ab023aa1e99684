import { phrases } from '../../phrases.ts'

export const texts = phrases({
  en: {
    lead: 'Websites, apps and services whose users sign in here.',
    none: 'There is no application yet. Create the first one: it takes a minute.',
    create: 'Create an application',
    createLead: 'It gets an id, and code to copy for the library that you use.',
    kindQuestion: 'What is it?',
    spa: 'Single-page application',
    spaLead: 'Runs in the browser alone: React, Vue, plain JavaScript.',
    web: 'Web application',
    webLead: 'Has a server that keeps a secret: Next.js, Express, Python, Go, PHP, .NET.',
    native: 'Native app',
    nativeLead: 'Installed on a phone or a computer: Swift, Kotlin, command line.',
    machine: 'Machine to machine',
    machineLead: 'A service that calls APIs on its own, without users.',
    device: 'Device without a browser',
    deviceLead: 'A television, a terminal: users enter a code on their phone.',
    agent: 'Agent (MCP client)',
    agentLead: 'Acts for users who have allowed it. Agents that register themselves need no entry here.',
    nameHint: 'Users see it when they sign in.',
    isAbove:
      'This application may do more here than your roles allow, so you cannot change it. An owner can.',
    descriptionHint: 'For administrators alone.',
    logoUri: 'Address of the logo',
    logoHint: 'Shown where users are asked whether the application may have their data.',
    guide: 'Guide',
    basics: 'Basics',
    deleteTitle: 'Delete {name}?',
    deleteLead:
      'Its users can no longer sign in to it, and all tokens issued to it end. This cannot be undone.',
    deleted: '{name} is deleted',
  },
  de: {
    lead: 'Websites, Apps und Dienste, deren Benutzer sich hier anmelden.',
    none: 'Es gibt noch keine Anwendung. Erstellen Sie die erste: Es dauert eine Minute.',
    create: 'Anwendung erstellen',
    createLead: 'Sie erhält eine ID und Code zum Kopieren für die Bibliothek, die Sie verwenden.',
    kindQuestion: 'Was ist es?',
    spa: 'Single-Page-Anwendung',
    spaLead: 'Läuft nur im Browser: React, Vue, reines JavaScript.',
    web: 'Webanwendung',
    webLead: 'Hat einen Server, der ein Secret bewahrt: Next.js, Express, Python, Go, PHP, .NET.',
    native: 'Native App',
    nativeLead: 'Auf Telefon oder Computer installiert: Swift, Kotlin, Kommandozeile.',
    machine: 'Maschine zu Maschine',
    machineLead: 'Ein Dienst, der selbst APIs aufruft, ohne Benutzer.',
    device: 'Gerät ohne Browser',
    deviceLead: 'Ein Fernseher, ein Terminal: Benutzer geben am Telefon einen Code ein.',
    agent: 'Agent (MCP-Client)',
    agentLead:
      'Handelt für Benutzer, die es erlaubt haben. Agenten, die sich selbst registrieren, brauchen hier keinen Eintrag.',
    nameHint: 'Benutzer sehen ihn bei der Anmeldung.',
    isAbove:
      'Diese Anwendung darf hier mehr, als Ihre Rollen erlauben; Sie können sie nicht ändern. Ein Inhaber kann es.',
    descriptionHint: 'Nur für Administratoren.',
    logoUri: 'Adresse des Logos',
    logoHint: 'Erscheint, wo Benutzer gefragt werden, ob die Anwendung ihre Daten erhalten darf.',
    guide: 'Anleitung',
    basics: 'Allgemeines',
    deleteTitle: '{name} löschen?',
    deleteLead:
      'Ihre Benutzer können sich dort nicht mehr anmelden, und alle für sie ausgestellten Tokens enden. Das lässt sich nicht rückgängig machen.',
    deleted: '{name} ist gelöscht',
  },
})

/** What `redirectFault` finds (spec/provider#redirect-uris). */
export const faultTexts = phrases({
  en: {
    notUrl: 'is not a URL. A URL begins with a scheme, such as https://',
    fragment: 'must not have a fragment (#)',
    scheme: 'must begin with https:, http: or a scheme with a dot, such as com.example.app:',
    webOnly: 'must begin with https: or http:',
    httpElsewhere: 'may begin with http: on the own machine alone',
    httpThirdParty:
      'must begin with https:, or with http: on the user’s own machine, because the application belongs to a third party',
    httpsLoopback: 'must begin with http: on the own machine',
  },
  de: {
    notUrl: 'ist keine URL. Eine URL beginnt mit einem Schema wie https://',
    fragment: 'darf kein Fragment (#) haben',
    scheme: 'muss mit https:, http: oder einem Schema mit Punkt wie com.example.app: beginnen',
    webOnly: 'muss mit https: oder http: beginnen',
    httpElsewhere: 'darf nur auf dem eigenen Computer mit http: beginnen',
    httpThirdParty:
      'muss mit https: beginnen, oder auf dem Computer des Benutzers mit http:, weil die Anwendung einem Dritten gehört',
    httpsLoopback: 'muss auf dem eigenen Computer mit http: beginnen',
  },
})

export const secretTexts = phrases({
  en: {
    once: 'Copy the client secret now into the environment of your application (CLIENT_SECRET). It is not shown again.',
    hidden: 'It was shown when it was made. If it is lost or known to somebody else, make a new one.',
    keys: 'The application authenticates with its key. A secret is not accepted.',
    hide: 'Hide',
    rotateLead:
      'The present secret ends at once: until your application has the new one, its users cannot sign in. Tokens that were issued stay valid.',
    rotateAction: 'Replace the secret',
  },
  de: {
    once: 'Kopieren Sie das Client-Secret jetzt in die Umgebung Ihrer Anwendung (CLIENT_SECRET). Es wird nicht noch einmal angezeigt.',
    hidden:
      'Es wurde angezeigt, als es erzeugt wurde. Ist es verloren oder anderen bekannt, erzeugen Sie ein neues.',
    keys: 'Die Anwendung authentifiziert sich mit ihrem Schlüssel. Ein Secret wird nicht angenommen.',
    hide: 'Verbergen',
    rotateLead:
      'Das jetzige Secret gilt ab sofort nicht mehr: Bis Ihre Anwendung das neue hat, können sich ihre Benutzer nicht anmelden. Ausgestellte Tokens bleiben gültig.',
    rotateAction: 'Secret ersetzen',
  },
})

export const trialTexts = phrases({
  en: {
    title: 'Try it now',
    open: 'Open the sign-in',
    toGuide: 'Show the guide',
    start: 'Your application opens in a new tab and begins the sign-in itself.',
    request:
      'The sign-in page opens in a new tab as users of this application see it. Afterwards the browser goes to {returnsTo}. An application that checks what it asked for, as it should, refuses this answer: begin at the application itself for a whole sign-in.',
    commands: 'Nobody is redirected for this kind of application. The guide has the calls, ready to copy.',
    pushed:
      'Requests of this application are pushed and signed with its key (FAPI 2.0), which the console does not have. Begin at the application itself.',
  },
  de: {
    title: 'Jetzt ausprobieren',
    open: 'Anmeldung öffnen',
    toGuide: 'Anleitung anzeigen',
    start: 'Ihre Anwendung öffnet sich in einem neuen Tab und beginnt selbst die Anmeldung.',
    request:
      'Die Anmeldeseite öffnet sich in einem neuen Tab, wie Benutzer dieser Anwendung sie sehen. Danach geht der Browser zu {returnsTo}. Eine Anwendung, die prüft, was sie angefordert hat, lehnt diese Antwort zu Recht ab: Für eine ganze Anmeldung beginnen Sie bei der Anwendung selbst.',
    commands:
      'Bei dieser Art von Anwendung wird niemand weitergeleitet. Die Anleitung enthält die Aufrufe zum Kopieren.',
    pushed:
      'Anfragen dieser Anwendung werden vorab übermittelt und mit ihrem Schlüssel signiert (FAPI 2.0), den die Konsole nicht hat. Beginnen Sie bei der Anwendung selbst.',
  },
})

export const guideTexts = phrases({
  en: {
    title: 'Sign users in',
    lead: 'The code below has the id and the addresses of this application. The secret is read from the environment.',
    issuer: 'Issuer',
    redirectUri: 'Redirect URI',
    library: 'Library',
    install: 'Install',
    run: 'Try it',
    open: 'Then open',
    elsewhere:
      'The code listens on port {port}, and {origin} has to lead there. To try it on your own machine, add {local} to the redirect URIs and use it in the code.',
    documentation: 'Documentation of the library',
  },
  de: {
    title: 'Benutzer anmelden',
    lead: 'Der Code enthält die ID und die Adressen dieser Anwendung. Das Secret liest er aus der Umgebung.',
    issuer: 'Issuer',
    redirectUri: 'Redirect-URI',
    library: 'Bibliothek',
    install: 'Installieren',
    run: 'Ausprobieren',
    open: 'Dann öffnen',
    elsewhere:
      'Der Code lauscht an Port {port}, und {origin} muss dorthin führen. Um ihn auf dem eigenen Computer auszuprobieren, fügen Sie {local} zu den Redirect-URIs hinzu und verwenden Sie diese im Code.',
    documentation: 'Dokumentation der Bibliothek',
  },
})
