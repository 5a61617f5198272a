drop table alert_deliveries;
drop table alerts;
