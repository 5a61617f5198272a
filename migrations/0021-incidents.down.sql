drop table incident_alerts;
drop table incident_cves;
drop table incident_indicators;
drop table incident_events;
drop table incidents;
