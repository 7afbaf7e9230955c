/**
 * Words that German compounds are made of, as they stand in them: the commonest nouns, verb stems and adjectives, in lower
 * case. Not a dictionary: it decides where compounds are cut, so words that are parts of others by chance are left out.
 */
export const germanParts: readonly string[] = `
abend abfall abgas absatz abschluss abteilung adler adresse affe akte aktie alarm alkohol alltag alpen alter amsel amt
anfang angebot angst anlage anruf antrag anträge antwort anwalt anwälte anzeige anzug apfel apotheke arbeit architekt
arm arzt atlantik atom aufgabe auftrag aufträge aufzug auge ausbildung ausgabe auskunft ausland ausstellung ausweis
auto autor axt baby bach bad bagger bahn balken balkon ball ballon banane band bank bart batterie bau bauch bauer baum
beamte becher becken bedarf beere behörde bein beleuchtung benzin berater beratung berg bericht beruf besen besuch
betrieb bett beutel bewegung bewerber bewerbung bezirk biene bier bild bildung biologie birne blatt blech blei blick
blitz block blume bluse blut blätter boden bogen bohne bohrer boot bote box brand braten brause braut brei bremse
brett brief brille brot bruch bruder brunnen brust brücke brüder bube buch buche bucht bude bund burg bus busch butter
bäche bäder bälle bände bänke bär bärte bäuche bäume böden börse bücher bühne bürger büro chef chemie chor computer
creme dach dame damm dampf darm datei datum dauer decke deich denkmal dichter dieb dienst diesel ding doktor dom donau
donner dorf dose drache draht dreck dreh drogen druck drucker duft durst dusche dächer dünger ecke ehe ehre eiche eier
eimer eingang einkauf einkommen einsatz eis eisen elbe elefant elektro eltern empfang energie engel enkel entwicklung
erbe erbse erdbeer erde ernte ersatz erz esel essen essig etage eule europa export fabrik fach fackel faden fahne fahr
fahrer fahrt fahrzeug fall falle familie fang farbe fass feder fehler feier feind feld fell fels fenster ferien fern
fernseh fertig fest fett feuer fieber figur film finanz finger firma fisch flasche fleck fleisch fliege flieger flucht
flug flugzeug flur fluss flut flöte flüsse folge form forschung forst foto frage frau freiheit freude freund frieden
frisch frosch frost frucht früh frühling frühstück fuchs funk futter fuß fälle fässer führer führung füller füße gabel
gang gans garage garantie garten gas gast gebet gebiet gebirge geburt gebäck gebäude gedanke gefahr gefühl gegend
gegner gehalt geheim geist geld gelenk gemeinde gemüse genuss gepäck gericht geruch gerät gesang geschenk geschichte
geschirr geschwindigkeit geschäft gesellschaft gesetz gesicht gespräch gestein gesundheit getreide getränk gewalt
gewehr gewerbe gewicht gewinn gewitter gewürz gift gitarre glas glatt glaube gleis glocke gläser glück gold gott grab
grad gras grenze griff grill groß grund gruppe gruß gräser gründe grüße gummi gurke gurt gärten gärtner gäste gürtel
haar hafen hafer hagel hahn haken hals halt halte hammer hand handel handwerk handwerker hase haube haupt haus
haushalt haut hebamme hebel hecht heer heft heide heil heim heimat heiz heizung held hemd herbst herd herr herz heu
hilfe himmel hirn hirsch hitze hobby hoch hochzeit hof holz honig hose hotel huhn hund hunger hut häfen hände händler
häuser höfe höhe höhle hühner hüte hütte igel impf import index industrie infekt information ingenieur insekt insel
internet jacke jagd jahr jugend junge jury jäger kaffee kaiser kalb kalender kalk kalt kamera kamin kamm kammer kampf
kanal kanne kante kanzler kapitän karotte karte kartoffel karton kasse kasten kater katze kauf kegel kehl keks keller
kellner kern kerze kessel kette kind kino kirche kirsch kissen kiste klang klasse klavier kleid kleider kleidung klein
klima klinge klinik kloster knie knochen knopf knödel koch koffer kohl kohle komma kommission konto kontroll konzert
kopf korb korn kosten kraft kragen kran kranken krankheit kranz kraut krebs kreide kreis kreuz krieg krimi krone
kruste kräfte kräuter kröte kuchen kugel kuh kultur kunde kunst kupfer kur kurs kurve kuss käfer käfig kälber käufe
käufer könig königin köpfe körbe körner körper küche kühe kühl künste künstler kürbis küste labor lack lade laden
ladung lager lamm lampe land landschaft lang laser laterne lauf leben leber leder leere lehm lehr lehrer leib leiche
leid leim leine leistung leiter lern lese leser leuchte licht liebe lied liege linie linse lippe liste liter literatur
lohn luft lunge lust lämmer länder lärm läufe löffel löhne löwe lüge macht magen magnet mais maler mandel mann mantel
mark markt marmelade marsch maschine maske masse mast material mathe matte mauer maul maus maß medien medizin meer
mehl meile meister meldung melone menge mensch messe messer metall meter miete mieter milch militär minister
ministerium minute mitglied mittag mitte mittel mode modell monat mond montag moor moos moral mord morgen motor mund
muschel museum musik musiker muskel mut mutter mädchen männer märchen märkte mäuse möbel mörder mücke mühle müll münze
mütter mütze nachbar nachricht nacht nadel nagel nahrung name narbe nase nass nation natur nebel nest netz niere nord
norden note notiz nudel nummer nuss nüsse objekt obst ofen ohr oktober oma onkel oper operation opfer optik orange
orchester orden ordner ordnung organ orgel orkan ort ost osten oster paar paket palast palme panne panzer papagei
papier pappe park partei partner party pass passwort patient pause pech pedal pelz person personal pfad pfanne pfarrer
pfeffer pfeife pfeil pferd pflanze pflaster pflaume pflege pflicht pfosten pfund physik pilot pilz pinsel pirat plakat
plan planet planung platte platz pläne plätze politik polizei polster pony portal post preis presse priester prinz
prinzessin privat probe problem produkt produktion professor programm projekt prozess prüfung publikum pult pulver
pumpe punkt puppe putz quadrat qualität qualle quark quelle quer rabe rad radio rahmen rand rasen rasier rat ratte
rauch raum raupe rebe rechnung recht rede redner regal regel regen regierung region reh reich reif reifen reihe
reinigung reis reise reiter reklame rektor religion renn rennen rente rentner reparatur reserve rest restaurant
rettung revier revolution rezept rhein richter richtung riegel riemen riese rind ring ritter rock roggen roh rohr
roller roman rose rost rot rucksack ruder ruf ruhe rumpf runde räder räuber räume rücken saal sache sack saft sahne
salat salbe salz samen sammel sammlung sand sarg satellit satz sau saum schach schacht schachtel schaden schaf schal
schale schalter schatten schatz schau schauer schein scheinwerfer schelle schenkel scherbe schere scherz scheune
schicht schicksal schiene schiff schild schimmel schirm schlacht schlaf schlag schlange schlauch schleim schleuse
schlitten schloss schlosser schlucht schläge schlösser schlüssel schmerz schmetterling schmied schmuck schmutz
schnabel schnalle schnaps schnauze schnecke schnee schneider schnell schnitt schnitzel schnupfen schnur schock
schokolade schrank schraube schreck schrei schreib schreiber schrift schriftsteller schritt schrott schränke schub
schuh schuld schule schulter schuss schuster schutt schutz schwamm schwan schwanz schwarm schwein schweiß schwelle
schwert schwester schwimm schwimmer schäden schätze schüler schüssel see seele segel seide seife seil seite sekretär
sekt sekunde senf sessel sicherheit sicht sieb sieg silbe silber sinn sitz sitzung ski socke sofa sohle sohn soldat
sommer sonder sonne sonntag sorge sozial soße spargel spaten spatz spaß specht speck speicher speise sperling sperre
spiegel spiel spieler spielzeug spieß spinat spinne spitze sport sportler sprache spray sprech springer spritze sprung
spule spur staat stab stachel stadion stadt staffel stahl stall stamm stand stange star stark start station statistik
statue stau staub staubsauger steak stecker steg steig stein stelle stellung stempel stengel sterbe stern steuer stich
stickerei stiefel stier stift stil stimme stimmung stirn stock stoff stollen stolz storch strafe strahl strahler
strand strauch strauß straße strecke streich streifen streik streit strick stroh strom strumpf strände sträuße ströme
strömung stube student studie studium stufe stuhl stunde sturm sturz städte stämme störung stück stühle stürme stütze
suche suppe symbol system säge sänger sätze säule säure süd süden tabak tabelle tablett tablette tafel tag takt tal
tank tanne tante tanz tapete tasche tasse taste tat tau taube taufe taxi technik techniker tee teich teig teil telefon
teller tempel tempo teppich termin terrasse test teufel text theater thema therapie thron tief tier tiger tisch
tischler titel tochter tod toilette tomate ton tonne topf tor torte tour tourismus trab tracht tradition trage traktor
trank traube trauer traum treff treib trenn treppe trick trink trinker tritt trocken trommel tropfen trost truppe
träger träne träume tuch tugend tulpe tunnel turm turn turnier typ tänzer täter töchter töpfe tür türme tüte ufer uhr
umfrage umsatz umschlag umsätze umwelt umzug unfall unfälle uniform universität unternehmen unterricht urlaub ursache
urteil vater verband verbindung verbrauch verbraucher verbrechen verein verfahren verfassung vergleich verkauf verkehr
verkäufer verlag verletzung verlust vermittlung versand versicherung versorgung verstand versuch vertrag vertrieb
verträge verwaltung video vieh viertel villa vogel volk vorhang vorhänge vorrat vorstand vulkan väter vögel völker
waage wache wachs waffe wagen wahl wald wall wand wandel wander wange wanne wappen ware warm warn warte wasch wasser
watte weber wechsel wecker weg wehr weide weihnacht wein weite weizen weiß welle welt wende werbung werk werkzeug wert
wespe west westen wettbewerb wette wetter wiese wild wind winkel winter wirbel wirt wirtschaft wissen wissenschaft
witz woche wohn wohnung wolf wolke wolle wort wunde wunder wunsch wurm wurst wurzel währung wälder wände wärme wäsche
wörter wünsche würfel würste wüste zahl zahn zange zauber zaun zebra zehe zeichen zeichnung zeit zeitung zelle zelt
zement zensur zentrale zentrum zettel zeug zeuge zeugnis ziege ziegel ziel zigarette zimmer zimt zins zirkel zirkus
zitrone zoll zone zoo zopf zucker zufall zug zukunft zunge zustand zutat zwang zweck zweig zwiebel zwilling zähne züge
ämter äpfel ärzte öfen überfall übung
`
  .trim()
  .split(/\s+/)
